"""The renderables, playback and exports: exact text at a fixed width, with and without colour."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.style import Style

from msat import Board, Game, Layout, Record, analyze, play
from msat.strategies.choice import BY_COUNTING
from msat.tui.app.session import Session
from msat.tui.board import BoardView, Overlay
from msat.tui.console import Terminal, signs_for
from msat.tui.frame import PlaybackFrame
from msat.tui.legend import legend, legend_lines
from msat.tui.playback import Playback
from msat.tui.reason import Reason
from msat.tui.status import StatusLine
from msat.tui.step import GuessInStep, Step, Steps, Watcher, steps_of
from msat.tui.svg import frame_svg
from msat.tui.theme import ASCII, CLUES, HEAT, PLAIN, STYLES, UNICODE
from msat.tui.timeline import Timeline
from tests.support.command import Cli
from tests.support.screens import SMALL


def text_of(renderable: RenderableType, width: int = 80, color: str | None = None) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, color_system=color, force_terminal=True)  # type: ignore[arg-type]
    console.print(renderable)
    return file.getvalue()


def played(layout: Layout, *cells: tuple[int, int], safety: float | None = None) -> Game:
    game = Game(layout)
    for cell in cells:
        game.open(cell, probability=safety, reason="a try")
    return game


LINE = Layout.parse("..*.*")


def lost_game() -> Game:
    """A wrong mark, a right one, a guess that survived and one that did not."""
    game = Game(LINE)
    game.mark((0, 0))
    game.mark((0, 2))
    game.open((0, 1), probability=0.75, reason="a try")
    game.open((0, 4), probability=0.5, reason="another")
    return game


class TestBoard:
    BOARD = Board.parse("?10?/2*8? 4")

    def test_signs(self) -> None:
        assert text_of(BoardView(self.BOARD), 11) == "   0 1 2 3\n0  ■ 1 · ■\n1  2 ⚑ 8 ■\n"
        assert text_of(BoardView(self.BOARD, ASCII), 11) == "   0 1 2 3\n0  ? 1 0 ?\n1  2 F 8 ?\n"
        assert text_of(BoardView(self.BOARD, PLAIN)) == "    0  1  2  3\n0   ?  1  ·  ?\n1   2  F  8  ?\n"

    def test_marks_as_they_are_judged(self) -> None:
        board = Board.parse("***1 2")
        view = BoardView(board, wrong=[(0, 0)], doubtful=[(0, 1)])
        assert text_of(view).splitlines()[1] == "0   ✗  ⚐  ⚑  1"
        assert legend(view) == "⚑ mark   ⚐ a mark that may be wrong   ✗ a mark that is wrong"

    def test_colours(self) -> None:
        red, dim = "\x1b[38;2;178;93;86m  ⚑\x1b[0m", "\x1b[38;2;118;118;118m"
        shown = text_of(BoardView(Board.parse("0* 1")), color="truecolor")
        assert shown == f"{dim}    0  1\x1b[0m\n{dim}0 \x1b[0m{dim}  ·\x1b[0m{red}\n"

    def test_the_end_of_a_lost_game(self) -> None:
        game = lost_game()
        view = BoardView(game.board, layout=game.layout, exploded=game.exploded, last=[(0, 4)])
        assert text_of(view, 13) == "   0 1 2 3 4\n0  ✗ 1 ⚑ ■ ✹\n"
        assert legend(view) == "✹ the mine that went off   ✱ mine   ✗ a mark that is wrong"

    def test_rings_share_the_column_between_them(self) -> None:
        board = Board.parse("12345 1")
        view = BoardView(board, clues=[(0, 0), (0, 1)], last=[(0, 2)], cursor=(0, 4))
        assert text_of(view, 13).splitlines()[1] == "0 [1 2(3)4>5<"
        assert text_of(view).splitlines()[1] == "0  [1][2](3) 4 >5<"

    def test_a_heat_map_in_percent_and_in_letters(self) -> None:
        board = Board.parse("????/1??1 2")
        view = BoardView(board, overlay=Overlay.of(analyze(board)))
        risk = analyze(board).probability
        percent = [f"{min(max(round(100 * each), 1), 99):02d}" for each in risk[0]]
        assert text_of(view).splitlines()[1].split()[1:] == percent
        assert text_of(view, width=12).splitlines()[1] == "0 " + "".join(percent)
        assert "07 a mine with 7 %" in legend_lines(view, 12)
        letters = ["abcdefghij"[int(10 * each)] for each in risk[0]]
        assert text_of(view, width=6).splitlines()[1] == "0 " + "".join(letters)
        assert "a–j" in legend_lines(view, 6)[-1]
        plain = BoardView(board, overlay=Overlay.of(analyze(board)), styled=False)
        assert text_of(plain, width=12).splitlines()[1] == "0  " + " ".join(letters)
        assert "a–j" in legend_lines(plain, 12)[-1]

    def test_in_two_columns_a_cell_what_no_clue_touches_is_told_once(self) -> None:
        board = Board.parse("1???? 2")
        view = BoardView(board, overlay=Overlay.of(analyze(board)))
        assert text_of(view, width=13).splitlines()[1] == "0  1 ✱ ■ ■ ■"
        assert legend(view, 13) == "+ safe"
        assert legend_lines(view, 13)[-1] == "■ elsewhere, 33 %"

    def test_a_ring_never_covers_a_sign(self) -> None:
        board = Board.parse("1???/???? 3")
        view = BoardView(board, overlay=Overlay(probability=np.full((2, 4), 0.5)), last=[(0, 0)])
        assert text_of(view, width=11).splitlines()[1] == "0 (150 ■ ■"

    def test_neighbours_share_a_ring(self) -> None:
        """They were drawn as `(1(1(1)`."""
        view = BoardView(Board.parse("?111?/????? 3"), last=[(0, 1), (0, 2), (0, 3)])
        assert text_of(view, width=13).splitlines()[1] == "0  ■(1 1 1)■"
        assert text_of(view).splitlines()[1] == "0   ■ (1)(1)(1) ■"

    def test_a_ring_does_not_cut_a_piece_out_of_a_wide_cell(self) -> None:
        """In the viewer the ground of an advised cell was narrower than the cell."""
        view = BoardView(
            Board.parse("???1 1"), moves={(0, 0): "safe"}, clues={(0, 3)}, last=[(0, 3)], cursor=(0, 1)
        )
        grounds = [
            segment.style is not None and (segment.style.reverse or segment.style.bgcolor is not None)
            for segment in view.row(0, 5)[1:]
            for _ in segment.text
        ]
        assert grounds[:20] == [True] * 10 + [False] * 5 + [True] * 5

    def test_advice(self) -> None:
        view = BoardView(Board.parse("???1 1"), moves={(0, 0): "safe", (0, 1): "mine", (0, 2): "open"})
        assert text_of(view).splitlines()[1] == "0  [+][✱][?] 1"
        assert text_of(view, width=6).splitlines()[1] == "0 +✱@1"

    def test_proven_cells(self) -> None:
        board = Board.parse("???/11? 1")
        overlay = Overlay(frozenset({(0, 2), (1, 2)}), frozenset({(0, 1)}))
        view = BoardView(board, overlay=overlay)
        assert text_of(view).splitlines()[1:] == ["0   ■  ✱  +", "1   1  1  +"]
        assert legend(view) == "+ safe   ✱ mine"

    def test_what_is_unproven_is_never_shown_as_certain(self) -> None:
        overlay = Overlay(probability=np.array([[0.0001, 0.9999]]))
        assert text_of(BoardView(Board.blank(1, 2, 1), overlay=overlay)).splitlines()[1] == "0  01 99"

    @pytest.mark.parametrize(("width", "pitch"), [(64, 2), (63, 1), (34, 1)])
    def test_the_widest_pitch_that_fits(self, width: int, pitch: int) -> None:
        view = BoardView(Board.blank(16, 30, 99))
        assert view.pitch(width) == pitch
        lines = text_of(view, width).splitlines()
        assert len(lines) == 18
        assert max(map(len, lines)) <= width

    def test_a_board_that_is_wider_than_the_terminal_is_cut_into_blocks(self) -> None:
        lines = text_of(BoardView(Board.blank(2, 30, 9)), width=22).splitlines()
        assert lines[0] == "            1"  # the tens
        assert [line for line in lines if line.startswith("0 ")] == ["0 " + "■" * 20, "0 " + "■" * 10]
        assert max(map(len, lines)) <= 22


class TestTheme:
    @staticmethod
    def contrast(one: Style, other: tuple[int, int, int]) -> float:
        def luminance(colour: tuple[int, int, int]) -> float:
            parts = [x / 255 for x in colour]
            r, g, b = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
            return 0.2126 * r + 0.7152 * g + 0.0722 * b

        assert one.color is not None
        assert one.color.triplet is not None
        first, second = luminance(one.color.triplet), luminance(other)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)

    @staticmethod
    def on_256_colours(style: Style) -> Style:
        assert style.color is not None
        return Style(color=style.color.downgrade(ColorSystem.EIGHT_BIT).get_truecolor().hex)

    def test_text_colours_are_read_on_dark_and_on_light(self) -> None:
        for style in (*CLUES, *STYLES.values()):
            if style.color is not None and style.bgcolor is None:
                assert not style.dim, "how dim that is, no terminal tells"
                for ground in ((0, 0, 0), (255, 255, 255)):
                    assert self.contrast(style, ground) >= 4.5, style
                    assert self.contrast(self.on_256_colours(style), ground) >= 3, style

    def test_backgrounds_bring_their_own_foreground(self) -> None:
        for style in (*HEAT, *STYLES.values()):
            if style.bgcolor is not None:
                assert style.bgcolor.triplet is not None
                assert self.contrast(style, style.bgcolor.triplet) >= 4.5, style

    def test_signs_by_terminal(self) -> None:
        assert signs_for("utf-8", terminal=True) is UNICODE
        assert signs_for("utf-8", terminal=False) is PLAIN
        assert signs_for("latin-1", terminal=True) is ASCII
        assert signs_for("utf-8", terminal=True, ascii_only=True) is ASCII
        assert "".join(map(str, vars(ASCII).values())).isascii()


class TestLines:
    def test_status(self) -> None:
        line = StatusLine("lost", 1, 0.375, 2, 3)
        assert text_of(line) == "✘ lost · 1 mine left · success so far 37.5% · 2 guesses · 3BV 3\n"
        coloured = text_of(line, color="truecolor")
        assert coloured.startswith("\x1b[1;38;2;222;49;43m✘ lost\x1b[0m")
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text_of(line)
        plain = StatusLine("playing", 10, 1.0, 0, signs=ASCII)
        assert text_of(plain) == "playing | 10 mines left | success so far 100.0% | 0 guesses\n"

    def test_reason(self) -> None:
        assert text_of(Reason(3, "open r0c1", lines=2), 20) == "3. open r0c1\n\n"
        assert text_of(Reason(3, "open r0c1: because it is so"), 20) == "3. open r0c1:…\n"
        assert text_of(Reason(3, "rules 1–9, and so on", signs=ASCII), 14) == "3. rules 1-9,~\n"
        guessed = text_of(Reason(3, "guess", is_guess=True), color="truecolor")
        assert guessed == "\x1b[38;2;118;118;118m3. \x1b[0m\x1b[1;38;2;177;96;41mguess\x1b[0m\n"

    def test_timeline(self) -> None:
        guess = GuessInStep(1, (0, 0), 0.5)
        assert text_of(Timeline(2, [guess], "playing", 4), 15) == "◆━━━━───── 2/4\n"
        assert text_of(Timeline(4, [guess], "lost", 4), 15) == "◆━━━━━━━━✘ 4/4\n"
        assert text_of(Timeline(4, [guess], "won", 4, ASCII), 15) == "o========! 4/4\n"
        assert text_of(Timeline(3), 15) == "━" * 10 + " 3\n"
        assert "\x1b[1;38;2;44;133;83m✔" in text_of(Timeline(1, [], "won"), color="truecolor")


class TestSteps:
    def test_a_record_click_by_click(self) -> None:
        steps = list(steps_of(lost_game().record))
        assert [step.decision for step in steps] == [
            "guess r0c1, safe with 75.00%: a try; mark 2 mines",
            "guess r0c4, safe with 50.00%: another",
        ]
        assert [step.state for step in steps] == ["playing", "lost"]
        assert [step.success for step in steps] == [0.75, 0.375]
        assert steps[-1].exploded == (0, 4)

    def test_what_follows_the_last_click_is_a_step_as_well(self) -> None:
        game = Game(LINE)
        game.mark((0, 0))
        game.unmark((0, 0))
        assert [s.decision for s in steps_of(game.record)] == ["mark 1 mine; take back 1 mark"]

    def test_live_steps_hold_a_whole_decision(self) -> None:
        game, watch = Game(LINE), Watcher()
        game.open((0, 1), 1.0, "proven")
        game.open((0, 0), 1.0, "proven")
        step = watch(game)
        assert (step.number, step.opened, step.decision) == (
            1,
            ((0, 1), (0, 0)),
            "open r0c1 and 1 more: proven",
        )
        game.open((0, 3))
        assert (watch(game).number, watch(game).moves) == (2, ())


def step_of(game: Game) -> Step:
    return list(steps_of(game.record))[-1]


class TestFrame:
    def test_exact_text(self) -> None:
        assert text_of(PlaybackFrame(step_of(lost_game()), 3, 2)) == (
            "✘ lost · 0 mines left · success so far 37.5% · 2 guesses · 3BV 3\n"
            "    0  1  2  3  4\n"
            "0   ✗  1  ⚑  ■  ✹\n"
            "✹ the mine that went off   ✱ mine   ✗ a mark that is wrong\n"
            "2. guess r0c4, safe with 50.00%: another\n" + "◆" + "━" * 29 + "◆" + "━" * 28 + "✘ 2/2\n"
        )

    @pytest.mark.parametrize("heat", [False, True])
    def test_an_expert_board_fits_80_by_24(self, heat: bool) -> None:
        game = played(Layout.random(16, 30, 99, seed=1, start=(3, 3)), (3, 3))
        overlay = Overlay.of(analyze(game.board)) if heat else None
        frame = PlaybackFrame(step_of(game), 200, 1, overlay)
        lines = text_of(frame).splitlines()
        assert len(lines) < 24
        assert max(map(len, lines)) <= 80
        assert frame.size(80) == (64, len(lines))


class TestPlayback:
    def show(self, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], **environment: str) -> str:
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("TERM", "xterm-256color")
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        file = io.StringIO()
        console = Console(file=file, width=size[0], height=size[1], force_terminal=True, highlight=False)
        with Playback(Terminal(console=console), speed=0) as playback:
            for step in steps_of(lost_game().record):
                playback.show(step)
            playback.line("the end")
        return file.getvalue()

    def test_frames_replace_each_other_on_a_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown = self.show(monkeypatch, (80, 24))
        assert "\x1b[1A" in shown
        assert shown.endswith("the end\n")

    def test_a_dumb_terminal_gets_plain_frames(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown = self.show(monkeypatch, (80, 24), TERM="dumb")
        assert "\x1b[1A" not in shown
        assert "1. guess r0c1" in shown

    def test_a_terminal_that_is_too_small_is_told(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shown = self.show(monkeypatch, (80, 5))
        assert "\x1b[1A" not in shown
        assert "2. guess r0c4" in shown
        assert capsys.readouterr().err == (
            "msat: the terminal has 80×5 columns and lines, this board needs 18×7: "
            "its frames follow each other\n"
        )


class TestCommands:
    @pytest.fixture
    def record(self, tmp_path: Path) -> Path:
        file = tmp_path / "game.json"
        lost_game().record.save(file)
        return file

    def test_watch_in_a_pipe(self, cli: Cli, record: Path) -> None:
        assert cli("watch", str(record)) == 0
        assert cli.out == (
            "1. guess r0c1, safe with 75.00%: a try; mark 2 mines\n"
            "    0  1  2  3  4\n0   F (1) F  ?  ?\n0 mines left\n\n"
            "2. guess r0c4, safe with 50.00%: another\n"
            "    0  1  2  3  4\n0   w  1  F  ?  X\n"
            "X the mine that went off   * mine   w a mark that is wrong\n0 mines left\n\n"
            "Lost at r0c4, which was safe with 50.00%, after 2 steps: "
            "1 opened, 2 marked, 2 guesses, all safe with 37.5%\n"
        )
        assert cli("watch", str(record), "--ascii") == 0
        assert cli.out.isascii()

    def test_a_damaged_record_is_refused(self, cli: Cli, record: Path) -> None:
        record.write_text(record.read_text()[:-30])
        assert cli("watch", str(record)) == 2
        assert cli.out == ""
        assert "not valid JSON" in cli.err

    def test_a_heat_map(self, cli: Cli) -> None:
        assert cli("play", "--preset", "beginner", "--seed", "2", "--heatmap", "--speed", "0") == 0
        assert "07 a mine with 7 %" in cli.out
        assert "2   *  2  ·  ·  1  *  +  + 20" in cli.out

    def test_pictures(self, cli: Cli, record: Path, tmp_path: Path) -> None:
        svg, frames, gif = tmp_path / "a.svg", tmp_path / "frames", tmp_path / "games" / "a.gif"
        argv = ["--svg", str(svg), "--svg-frames", str(frames), "--gif", str(gif), "--speed", "0"]
        assert cli("watch", str(record), *argv) == 0
        assert sorted(file.name for file in frames.iterdir()) == ["1.svg", "2.svg"]
        assert svg.read_text() == (frames / "2.svg").read_text()
        assert svg.read_text().startswith("<svg")
        pil = pytest.importorskip("PIL.Image", reason="Pillow draws the animation")
        with pil.open(gif) as image:
            assert (image.format, image.n_frames, image.size) == ("GIF", 2, (320, 37))

    def test_pictures_load_nothing_from_the_web(self) -> None:
        picture = frame_svg(PlaybackFrame(step_of(lost_game())))
        assert "font-face" not in picture
        assert "url(http" not in picture

    def test_a_picture_that_cannot_be_written(self, cli: Cli, record: Path, tmp_path: Path) -> None:
        assert cli("watch", str(record), "--svg", str(record / "a.svg")) == 2
        assert "a.svg: cannot be written" in cli.err

    def test_an_interrupted_game_is_saved(
        self, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shown = Playback.show

        def interrupt(self: Playback, step: Step) -> None:
            shown(self, step)
            if step.number == 2:
                raise KeyboardInterrupt

        monkeypatch.setattr(Playback, "show", interrupt)
        file = tmp_path / "part.json"
        assert cli("play", "--preset", "beginner", "--seed", "2", "--save", str(file)) == 130
        assert Record.load(file).state == "playing"
        assert len(Record.load(file).moves) > 1

    def test_the_viewer_needs_a_terminal(self, cli: Cli) -> None:
        assert cli("tui", "--fresh") == 2
        assert "tui needs a terminal: in a pipe use 'msat play' or 'msat watch'" in cli.err
        assert cli("tui", "??1") == 2
        assert "the number of mines is missing" in cli.err


def test_a_step_by_counting_names_its_numbers() -> None:
    """The words "proven safe by counting" told nothing; a saved game names its numbers too."""
    layout = Layout.random(9, 9, 10, seed=2, start=(3, 3))
    record = play(layout, "safest")
    assert any(move.reason == BY_COUNTING for move in record.moves)
    told = [step.decision for step in steps_of(record)]
    assert told[-1] == "open r0c8: proven safe by the 2 at r2c7 and the mine total; mark 1 mine"
    assert not any("by counting" in line for line in told)


def test_a_person_who_clicks_does_not_tell_how_safe_that_is() -> None:
    """It was told "success so far 100.0%" after a click on a mine."""
    session = Session(SMALL, Game(Layout.parse("..*.\n....")))
    session.open((0, 0))
    assert session.success == pytest.approx(1.0)  # the first click is everybody's
    session.open((0, 2))
    assert (session.state, session.success) == ("lost", None)
    step = Steps(session.game.record)[-1]
    assert text_of(StatusLine.of(step)) == "✘ lost · 1 mine left\n"
    played = play(Layout.random(9, 9, 10, seed=12, start=(3, 3)), "safest")
    assert Steps(played)[-1].success == played.success_probability
