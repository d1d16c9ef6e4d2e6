"""How fast `msat serve` answers, beside `solve --jsonl` and the bare library, in the same run.

    python -m bench.serve                  requests/s, latency and processor time for 1, 8 and 64 connections
    python -m bench.serve --seconds 10     more of each
    python -m bench.serve --cold           start with nothing compiled: when it is ready, and what it weighs
    python -m bench.serve --busy           cheap questions while every worker is busy with dear ones
    python -m bench.serve --soak 5         minutes of mixed load: memory has to stay flat, and nobody wait

`requests/s` and the latencies are by the clock, and mean something on a machine that does nothing else: two
processors, one for the service and one for who asks. `cpu µs` is the processor time of the serving process
for one board (a request, or a part of a batch), the best of PARTS parts, which depends less on what else the
machine does; `a cpu s` is how many boards that makes in a second of processor time, and `over` what is above
the library's own time for the same boards. The last lines set the figures beside what is aimed at.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, NamedTuple

from bench import soak as clients
from bench.load import Load, load
from msat.analysis import analyze
from msat.batch import probabilities
from msat.bench.positions import Position, stuck
from msat.service.client import Client, ServiceError

__all__ = ["main"]

POSITIONS = 100
PARTS = 2
CONNECTIONS = (1, 8, 64)
LONG = {"board": "/".join(["????????"] * 8) + " 12", "seconds": 80_000}


@contextmanager
def service(*options: str, **environment: str) -> Iterator[tuple[str, int]]:
    """A service that runs meanwhile: its address and process."""
    command = [sys.executable, "-m", "msat", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process.pid
    finally:
        process.terminate()
        process.wait()


def fetch(address: str) -> Any:
    """What is there, as JSON; None if that is refused."""
    try:
        with urllib.request.urlopen(address, timeout=60) as reply:
            return json.loads(reply.read())
    except OSError:
        return None


def wait_for(true: Callable[[], object]) -> None:
    """Look until it is true."""
    while not true():
        time.sleep(0.01)


def processor(pid: int) -> float:
    """Seconds of processor time that a process has taken."""
    with suppress(FileNotFoundError), open(f"/proc/{pid}/schedstat", encoding="ascii") as stat:
        return int(stat.read().split()[0]) / 1e9  # of its first thread, in nanoseconds
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def weights(pid: int) -> str:
    """Megabytes that a process and those below it take, each also without what it shares with others."""
    found = [memory(each) for each in processes(pid)]  # the service, the nursery, its workers
    told = [f"{resident:.0f} ({share:.0f})" for resident, share in found if resident]
    return f"MB a process (its share): {', '.join(told)}"


def memory(pid: int) -> tuple[float, float]:
    """Megabytes of a process, RSS and PSS; 0 if it has ended, as workers do when they are stopped."""
    found = {"Rss:": 0.0, "Pss:": 0.0}
    with suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{pid}/smaps_rollup") as file:
        for name, value, *_ in (line.split() for line in islice(file, 1, None)):
            if name in found:
                found[name] = int(value) * 1024 / 1e6
    return found["Rss:"], found["Pss:"]


def processes(pid: int) -> list[int]:
    """A process and all below it."""
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [pid, *(each for child in done.stdout.split() for each in processes(int(child)))]


def questions(positions: list[Position], fields: list[str] | None) -> list[str]:
    """Bodies of requests, one a position."""
    found = []
    for position in positions:
        asked: dict[str, Any] = {"board": position.board.to_text("line")}
        found.append(json.dumps(asked if fields is None else asked | {"fields": fields}))
    return found


def batches(positions: list[Position], fields: list[str]) -> list[str]:
    """A batch of all positions."""
    items = [{"path": "analyze", **json.loads(body)} for body in questions(positions, fields)]
    return [json.dumps({"requests": items})]


def time_library(function: Callable[[Position], object], positions: list[Position], seconds: float) -> float:
    """Processor time of one call, in microseconds."""
    for position in positions:
        function(position)
    began, calls = time.process_time(), 0
    while time.process_time() - began < seconds:
        for position in positions:
            function(position)
        calls += len(positions)
    return (time.process_time() - began) / calls * 1e6


def time_pipe(bodies: list[str], rounds: int) -> float:
    """Processor time of one line of `solve --jsonl`, in microseconds, without its start."""

    def spent(lines: int) -> float:
        before = os.times()
        text = "\n".join((bodies * (lines // len(bodies) + 1))[:lines])
        command = [sys.executable, "-m", "msat", "solve", "--jsonl"]
        subprocess.run(command, input=text.encode(), stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    few, many = len(bodies), rounds * len(bodies)
    return (spent(many + few) - spent(few)) / many * 1e6


def measure(
    address: str, pid: int, path: str, bodies: list[str], connections: int, seconds: float
) -> tuple[Load, float]:
    """The load of the best part by the clock, and the least processor time of a request in microseconds."""
    parts, spent = [], []
    for _ in range(PARTS):
        before = processor(pid)
        parts.append(load(address, path, bodies, connections, seconds / PARTS))
        spent.append((processor(pid) - before) / max(1, parts[-1].requests) * 1e6)
    best = max(parts, key=lambda part: part.requests / part.seconds)
    return best._replace(failed=sum(part.failed for part in parts)), min(spent)


class Row(NamedTuple):
    """What is asked, as it is printed."""

    name: str
    path: str
    bodies: list[str]
    boards: int
    """In one request."""
    own: float
    """Microseconds that the library takes for a board; 0 if that is not compared."""


def head() -> None:
    """Print what stands in the columns."""
    columns = [("conn.", 6), ("requests/s", 12), ("boards/s", 10), ("p50 ms", 9), ("p99 ms", 9)]
    columns += [("cpu µs", 9), ("a cpu s", 10), ("over", 8)]
    print(f"{'':<24}" + "".join(f"{name:>{width}}" for name, width in columns))


def show(row: Row, address: str, pid: int, connections: int, seconds: float) -> dict[str, float]:
    """Measure a row, and print it."""
    found, cpu = measure(address, pid, row.path, row.bodies, connections, seconds)
    rate, cpu = found.requests / found.seconds, cpu / row.boards
    text = f"{row.name:<24}{connections:>6}{rate:>12,.0f}{rate * row.boards:>10,.0f}"
    text += f"{found.p50 * 1e3:>9.2f}{found.p99 * 1e3:>9.2f}{cpu:>9.1f}{1e6 / cpu:>10,.0f}"
    text += f"{cpu - row.own:>8.1f}" if row.own else f"{'':>8}"
    print(text + (f"  {found.failed} failed" if found.failed else ""), flush=True)
    return {"rate": rate * row.boards, "over": cpu - row.own, "a cpu s": 1e6 / cpu, "p99": found.p99 * 1e3}


def compare(seconds: float) -> None:
    """Everything beside everything."""
    expert = list(islice(stuck(16, 30, 99), POSITIONS))
    small = list(islice(stuck(9, 9, 10), POSITIONS))
    bare = {
        "probabilities": time_library(lambda p: probabilities(p.array, p.mines), expert, seconds / 2),
        "analyze": time_library(lambda p: analyze(p.board), expert, seconds / 2),
        "analyze, all fields": time_library(lambda p: analyze(p.board).to_object(), expert, seconds / 2),
    }
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    print("the library, expert, µs of processor time a board:")
    for name, microseconds in bare.items():
        print(f"  {name:<24}{microseconds:>8.1f}")
    print("solve --jsonl, expert, µs of processor time a line:")
    for fields in (["probability"], None):
        print(f"  {'fields ' + str(fields):<24}{time_pipe(questions(expert, fields), 5):>8.1f}")
    own = bare["probabilities"]
    rows = [
        Row("healthz", "/healthz", [], 1, 0),
        Row("small, probability", "/api/v1/analyze", questions(small, ["probability"]), 1, 0),
        Row("small, all", "/api/v1/analyze", questions(small, None), 1, 0),
        Row("expert, probability", "/api/v1/analyze", questions(expert, ["probability"]), 1, own),
        Row("expert, safe and mined", "/api/v1/analyze", questions(expert, ["safe", "mined"]), 1, own),
        Row("expert, all", "/api/v1/analyze", questions(expert, None), 1, bare["analyze, all fields"]),
        Row("expert, batches of 100", "/api/v1/batch", batches(expert, ["probability"]), POSITIONS, own),
    ]
    best: dict[str, dict[str, float]] = {}
    with service() as (address, pid):
        wait_for(lambda: (fetch(f"{address}/readyz") or {}).get("compiled"))
        print(f"at the start: {weights(pid)}")
        head()
        for row in rows:
            load(address, row.path, row.bodies, 1, 0.3)
            best[row.name] = max(
                (show(row, address, pid, connections, seconds) for connections in CONNECTIONS),
                key=lambda figures: figures["rate"],
            )
        print(f"at the end: {weights(pid)}")
        heaviest = memory(pid)[0]
    waits = busy(seconds)
    single, many = best["expert, probability"], best["expert, batches of 100"]
    print("\naims, at the number of connections that is answered fastest:")
    print(f"  µs added to an expert board       {single['over']:>10,.1f}   at most 150")
    for by in ("rate", "a cpu s"):
        told = "by the clock" if by == "rate" else "of processor time"
        print(f"  requests/s {told:<22}{single[by]:>11,.0f}   at least 3,000")
        print(f"  boards/s in batches, {told:<17}{many[by]:>6,.0f}   at least 12,000")
    print(f"  p99 in ms while workers are busy  {waits:>10,.1f}   under 25")
    print(f"  MB of the serving process at end  {heaviest:>10,.0f}   at most 250")


def busy(seconds: float) -> float:
    """Cheap questions while every worker works; returns the longest p99, in milliseconds."""
    expert = questions(list(islice(stuck(16, 30, 99), POSITIONS)), ["probability"])
    with service("--budget", "3600") as (address, pid):
        wait_for(lambda: (fetch(f"{address}/readyz") or {}).get("compiled"))
        from threading import Thread

        for _ in range(2 * (os.cpu_count() or 1)):
            Thread(target=_ask_long, args=[address], daemon=True).start()
        wait_for(lambda: all_busy(address))
        print("every worker busy with a hint that takes for ever:")
        row = Row("expert, probability", "/api/v1/analyze", expert, 1, 0)
        found = [show(row, address, pid, connections, seconds) for connections in CONNECTIONS]
        print("  one client, 100 requests/s:", _paced(address, expert, min(seconds, 3.0)))
        return max(figures["p99"] for figures in found)


def all_busy(address: str) -> bool:
    """Whether no worker is idle."""
    with urllib.request.urlopen(f"{address}/metrics", timeout=60) as reply:
        found = dict(line.rsplit(" ", 1) for line in reply.read().decode().splitlines())
    return float(found["msat_workers_busy"]) == (os.cpu_count() or 1)


def _ask_long(address: str) -> None:
    with suppress(ServiceError, OSError):  # the service is stopped at the end
        Client(address, timeout=3600).hint(**LONG)


def _paced(address: str, bodies: list[str], seconds: float) -> str:
    client, took = Client(address), []
    for number in range(round(100 * seconds)):
        began = time.perf_counter()
        client.ask("analyze", json.loads(bodies[number % len(bodies)]))
        took.append(time.perf_counter() - began)
        time.sleep(max(0.0, 0.01 - took[-1]))
    took.sort()
    return f"p50 {took[len(took) // 2] * 1e3:.2f} ms, p99 {took[len(took) * 99 // 100] * 1e3:.2f} ms"


def cold() -> None:
    """From nothing to the first answer, and until kernels are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        environment = {"NUMBA_CACHE_DIR": folder, "MSAT_KERNELS": "auto"}
        with service(**environment) as (address, pid):
            print(f"address printed after {time.perf_counter() - began:.2f} s")
            wait_for(lambda: fetch(f"{address}/readyz"))
            print(
                f"ready after {time.perf_counter() - began:.2f} s, {processor(pid):.2f} s of processor time"
            )
            board = next(iter(stuck(16, 30, 99))).board.to_text("line")
            first = time.perf_counter()
            Client(address).analyze(board=board)
            print(f"first expert board answered in {time.perf_counter() - first:.2f} s more")
            print(weights(pid))
            wait_for(lambda: fetch(f"{address}/readyz")["compiled"])
            print(f"compiled after {time.perf_counter() - began:.0f} s; {weights(pid)}")


def soak(minutes: float, rate: float) -> bool:
    """Everything that clients do, for so long; whether nothing was late or wrong."""
    with service() as (address, pid):
        wait_for(lambda: (fetch(f"{address}/readyz") or {}).get("compiled"))
        return clients.soak(address, minutes, rate, lambda: weights(pid))


def main(arguments: list[str] | None = None) -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="of load for each figure (default: 2)")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--soak", type=float, metavar="MINUTES")
    parser.add_argument("--rate", type=float, default=40, help="requests a second of --soak (default: 40)")
    args = parser.parse_args(arguments)
    if args.cold:
        cold()
    elif args.busy:
        busy(args.seconds)
    elif args.soak:
        sys.exit(0 if soak(args.soak, args.rate) else 1)
    else:
        compare(args.seconds)


if __name__ == "__main__":
    main()
