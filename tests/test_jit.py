"""What a person is told while kernels are compiled, and how compiled kernels are kept."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from msat import _compiler, _kernel_cache
from msat._jit import waiting, working_time
from msat.arena import games
from msat.arena.plan import Plan
from msat.bench.suites import SUITES
from msat.board import Board
from msat.engines.rules.deductions import deductions
from msat.measures._kernels import measure
from msat.strategies import Choice
from tests.conftest import JIT
from tests.support.arena_players import First
from tests.support.clock import Clock


def compiling(function: Any) -> Any:
    """The event that numba sends before it compiles a function."""
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=function)})


def test_a_person_is_told_once_where_compiling_takes_its_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notice = _compiler.Notice()
    times = iter([10.0, 10.5, 11.5, 20.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    for _ in range(2):
        notice.on_start(compiling(deductions))
        notice.on_end(compiling(deductions))
    assert capsys.readouterr().err == ""
    notice.on_start(compiling(deductions))
    assert capsys.readouterr().err.startswith("msat: compiling kernels, once on this machine")
    notice.on_start(compiling(deductions))
    assert capsys.readouterr().err == ""


def test_functions_of_others_are_none_of_our_business(capsys: pytest.CaptureFixture[str]) -> None:
    notice = _compiler.Notice()
    notice.on_start(compiling(SimpleNamespace))
    notice._began = 0.0
    notice.on_start(compiling(SimpleNamespace))
    assert capsys.readouterr().err == ""


KEEP = {"MSAT_KERNELS": "auto"}

ANSWER = "import msat; print(msat.probabilities([[-1, 1], [-1, -1]], mines=1).sum())"


def answered(folder: Path) -> str:
    """The answer of a fresh process whose kernels are kept in `folder`."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", ANSWER], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not JIT, reason="nothing is compiled, so nothing is kept")
def test_kernels_that_are_damaged_or_missing_are_compiled_anew(tmp_path: Path) -> None:
    good = answered(tmp_path)
    kept = sorted((tmp_path / "msat-kernels").iterdir())
    whole = {file: file.read_bytes() for file in kept}
    # A caller finds what is compiled apart by a name that does not depend on when it was compiled.
    called = [file for file in kept if ".driver.count_all-" in file.name or ".order.order_comp" in file.name]
    assert len(called) == 2
    called[0].unlink()
    called[1].write_bytes(whole[called[1]][:-100])
    roots = [file for file in kept if ".answer.answer-" in file.name]
    roots[0].write_bytes(whole[roots[0]][:2000] + b"\0" + whole[roots[0]][2001:])
    strange = [file for file in kept if file not in (*called, *roots)][:3]
    for file, data in zip(strange, (b"", b"no pickle", pickle.dumps((1, 2))), strict=True):
        file.write_bytes(hashlib.sha256(data).digest() + data)  # whole, and nothing of ours
    assert answered(tmp_path) == good
    for file in (*called, *roots, *strange):
        assert len(file.read_bytes()) > len(whole[file]) - 5000  # there again, and whole


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this test keeps its kernels."""
    monkeypatch.setattr(_kernel_cache, "cache_folder", lambda: tmp_path)
    return tmp_path


def test_a_claim_holds_as_long_as_whoever_made_it(folder: Path) -> None:
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    mark = folder / "kernel.claim"
    mark.write_text(str(other.pid))
    assert not _kernel_cache.claim("kernel")
    mark.write_text("")  # made this moment, and not written yet
    assert not _kernel_cache.claim("kernel")
    mark.write_text(str(other.pid))
    other.communicate()  # it ends, and never gave its claim up
    assert _kernel_cache.claim("kernel")
    assert mark.read_text() == str(os.getpid())
    assert _kernel_cache.claim("kernel")  # nobody waits for oneself
    for strange in ("0", "9" * 20, "-1", "\x00"):
        mark.write_text(strange)
        os.utime(mark, (1, 1))
        assert _kernel_cache.claim("kernel")
    _kernel_cache.unclaim("kernel")
    assert not mark.exists()


FAIL = """
from msat import _kernel_cache
from msat.problem._kernels.boxes import build
try:
    build(None)
except Exception:
    print(list(_kernel_cache.cache_folder().glob("*.claim")))
"""


@pytest.mark.skipif(not JIT, reason="nothing is compiled, so nothing is claimed")
def test_who_fails_to_compile_gives_its_claims_up(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "MSAT_KERNELS": "compiled"}
    done = subprocess.run([sys.executable, "-c", FAIL], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


FORK = """
import os, threading, time
from msat import _jit
from numba.core.compiler_lock import global_compiler_lock

taken = threading.Event()

def compile_something():
    with _jit._state.lock, global_compiler_lock:
        taken.set()
        time.sleep(0.2)  # while the other one forks

thread = threading.Thread(target=compile_something)
thread.start()
taken.wait()
child = os.fork()
if not child:
    free = [lock.acquire(timeout=0) for lock in (_jit._state.lock, global_compiler_lock._lock)]
    os._exit(0 if all(free) else 1)
thread.join()
free = [lock.acquire(timeout=0) for lock in (_jit._state.lock, global_compiler_lock._lock)]
print(os.waitpid(child, 0)[1], all(free))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_child_has_no_lock_of_a_thread_that_it_does_not_have() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "0 True\n"), done.stderr


FORK_INSIDE = """
import os, threading
from msat import _jit

inside, forked = threading.Event(), threading.Event()

def be_inside_and_wait():
    began = _jit._state.enter()
    with _jit.waiting():
        inside.set()
        forked.wait()
    _jit._state.leave(began)

thread = threading.Thread(target=be_inside_and_wait)
thread.start()
inside.wait()
child = os.fork()
if not child:
    before = _jit._waited.seconds
    with _jit.waiting():
        pass
    os._exit(0 if _jit._waited.seconds > before and not _jit._state.inside else 1)
forked.set()
thread.join()
print(os.waitpid(child, 0)[1], _jit._state.inside, _jit._waited.now)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_child_counts_its_own_work_though_another_thread_was_inside_of_a_kernel() -> None:
    """It never would: whoever was inside when it was made comes out in the parent alone."""
    done = subprocess.run([sys.executable, "-c", FORK_INSIDE], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "0 0 0\n"), done.stderr


BUILD = """
import numpy as np
from msat.problem._kernels.boxes import build
board = np.array([[-1, 1, -1]], np.int8)
build(board)
"""

GIVE_UP = f"""{BUILD[: -len("build(board)") - 1]}
from msat.strategies._kernels.chain import _give_up
print(_give_up(board, board, 1, 7)[2])
"""


@pytest.mark.skipif(not JIT, reason="nothing is compiled, so nothing is kept")
def test_a_kernel_finds_what_those_need_that_were_loaded_when_it_was_compiled(tmp_path: Path) -> None:
    # `build` is compiled with what it calls apart; then `_give_up`, which takes `build` into its code, from
    # the cache; and then only `_give_up` is loaded, which has to bring along what `build` calls.
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "MSAT_KERNELS": "compiled"}
    for script, printed in ((BUILD, ""), (GIVE_UP, "0.5\n"), (GIVE_UP, "0.5\n")):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
        assert (done.returncode, done.stdout) == (0, printed), done.stderr


def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    assert _kernel_cache._is_private(folder)
    folder.chmod(0o777)
    assert not _kernel_cache._is_private(folder)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert not _kernel_cache._is_private(link)
    folder.chmod(0o700)
    tmp_path.chmod(0o777)  # anybody may put another folder in its place
    assert not _kernel_cache._is_private(folder)
    tmp_path.chmod(0o1777)  # as the folder of temporary files is
    assert _kernel_cache._is_private(folder)


def test_a_digest_covers_what_a_kernel_is_made_of() -> None:
    closure = _kernel_cache._imports("msat.engines.counting._kernels.answer")
    assert "msat.engines.counting._kernels.driver" in closure
    assert "msat._jit" not in closure
    assert "msat.strategies._kernels.game" in _kernel_cache._imports("msat.strategies._kernels.turns")
    digests = {
        _kernel_cache.source_digest(f"msat.engines.counting._kernels.{name}") for name in ("tape", "order")
    }
    assert len(digests) == 2


def fresh(code: str, folder: Path | None, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process whose kernels are kept in `folder`, or where those of the tests are."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0", **settings}
    if folder is not None:
        environment["NUMBA_CACHE_DIR"] = str(folder)
    if "MSAT_KERNELS" not in settings:
        del environment["MSAT_KERNELS"]
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)


def test_where_nothing_is_compiled_the_first_answer_needs_no_compiler(tmp_path: Path) -> None:
    code = """
import sys
from msat.__main__ import main
assert main(["solve", "??1/3?2/??? 3"]) == 0
assert main(["explain", "??1/3?2/??? 3", "--cell", "2,2"]) == 0
print("numba" in sys.modules)
"""
    done = fresh(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "False"
    assert done.stderr == ""
    assert not list(tmp_path.iterdir())  # and nothing is written


def test_an_unknown_speed_is_one_clear_line(tmp_path: Path) -> None:
    code = "import sys; from msat.__main__ import main; sys.exit(main(['solve', '?1? 1']))"
    done = fresh(code, tmp_path, MSAT_KERNELS="fast")
    assert done.returncode == 2
    assert done.stderr == "msat: unknown MSAT_KERNELS 'fast': choose one of auto, compiled, plain\n"


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_where_nothing_can_be_kept_nobody_compiles_for_others(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("no folder")
    code = """
from msat import _jit
_jit.start_workers = None
_jit.hurry()
assert _jit.is_compiled()
from msat.problem._kernels.workspace import new_workspace
print(new_workspace(3).size)
"""
    done = fresh(code, taken)
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr
    code = "import sys; from msat.__main__ import main; sys.exit(main(['warm']))"
    done = fresh(code, taken)
    assert done.returncode == 2
    assert done.stderr == (
        f"msat: nothing can be written to {taken / 'msat-kernels'}: make room there, or set "
        "NUMBA_CACHE_DIR to another folder of yours\n"
    )
    assert [file.name for file in tmp_path.iterdir()] == ["taken"]


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("prepare", "board", "loaded"),
    [
        ("", "??1/3?2/??? 3", False),  # sooner answered than machine code is loaded
        ("_jit.LOADING = 0.0", "??1/3?2/??? 3", True),  # as soon as the work has taken as long as loading
        ("_jit.SMALL = 8", "??1/3?2/??? 3", True),
        ("import msat.engines.rules._kernels", "??1/3?2/??? 3", True),  # where it is loaded already
    ],
)
def test_one_small_question_does_not_load_machine_code(prepare: str, board: str, loaded: bool) -> None:
    code = f"""
import sys
from msat import _kernel_cache
_kernel_cache.is_kept = lambda name: True  # as if all were compiled
from msat import _jit
{prepare}
from msat.__main__ import main
assert main(["solve", {board!r}]) == 0
assert ("numba" in sys.modules) == _jit.is_compiled()
print(_jit.is_compiled())
"""
    done = fresh(code, None)
    assert done.returncode == 0, done.stderr
    *answer, compiled = done.stdout.splitlines()
    assert compiled == str(loaded)
    assert "solutions: 4" in answer


EXCHANGE = """
import sys
from msat import _kernel_cache
_kernel_cache.is_kept = lambda name: False  # as if not all were compiled
import msat
from msat import _jit
_jit.PATIENCE = 1e9
from msat.bench.digests import ExactAnswer, fingerprint

found = []
for i, text in enumerate(BOARDS):
    if i == 6:
        assert "numba" not in sys.modules
        HURRY
    found.append(fingerprint(ExactAnswer.of(msat.analyze(msat.Board.parse(text)))))
assert _jit.is_compiled() and "numba" in sys.modules
print(*found)
"""


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    "hurry",
    [
        "_jit.exchange()",
        # By work done: where the patience is over and the workers have ended, at the end of a call.
        "_jit.PATIENCE = 0.0; _jit._state.workers = []; _jit.start_workers = lambda *_, **__: [Done()]",
    ],
)
def test_answers_stay_the_same_when_kernels_are_exchanged_in_the_middle(hurry: str) -> None:
    # The positions come from games, which are played here: plain kernels would take twenty seconds.
    boards = [str(position.board) for position in SUITES["beginner"].positions[:12]]
    code = EXCHANGE.replace("HURRY", hurry).replace("BOARDS", repr(boards))
    code = "class Done:\n    def poll(self): return 0\n" + code
    done = fresh(code, None, **KEEP)
    assert done.returncode == 0, done.stderr
    known = json.loads((Path(__file__).parent / "digests.json").read_text("utf-8"))
    assert done.stdout.split() == known["beginner"]["fingerprints"].split()[:12]


class Loading(First):
    """Waits five seconds for machine code, and thinks for two, at every move."""

    def choose(self, board: Board) -> Choice | None:
        with waiting():
            time.sleep(5)
        time.sleep(2)
        return super().choose(board)


def test_no_game_is_slow_for_what_is_loaded_in_it(clock: Clock) -> None:
    (game,) = games.play_games(Plan(Loading, 5, 5, 5), 0, 1)
    assert game.slow == 2.0
    assert game.seconds == 2.0 * (game.moves - 1)


@pytest.mark.parametrize(
    ("plan", "count", "pays"),
    [
        (Plan("safest"), 20, False),
        (Plan("safest"), 21, True),
        (Plan(First), 3, False),  # who may well ask `analyze` at every move
        (Plan(First), 4, True),
        (Plan(First, 9, 9, 10), 4, False),
    ],
)
def test_from_how_many_games_on_it_pays_to_compile(
    plan: Plan, count: int, pays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[bool] = []
    monkeypatch.setattr(games, "hurry", lambda: called.append(True))
    games.compile_for(plan, count)
    assert bool(called) == pays


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_a_call_that_waits_for_machine_code_says_so(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = _compiler.KernelCache.load_overload

    def load(*given: Any) -> Any:
        clock.pass_by(60)
        return usual(*given)

    monkeypatch.setattr(_compiler.KernelCache, "load_overload", load)
    kernel: Any = _compiler.compile_kernel(measure.py_func, {}, apart=True)  # type: ignore[attr-defined]
    before = working_time()
    assert kernel(np.zeros((2, 2), np.int8)) == (1, 1, 0)
    assert clock.time >= 1060
    assert working_time() == before


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_compiling_can_be_interrupted(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from msat.__main__ import main; sys.exit(main(['warm']))"
    )
    with subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE) as process:
        while not list(tmp_path.glob("msat-kernels/*")):  # until a worker has begun
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr is not None
        assert process.stderr.read().decode().startswith("msat: compiling kernels")
