"""The dialogs of the viewer: help, a question with one line for the answer, a choice from a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static

__all__ = ["Ask", "Confirm", "Help", "Pick"]

_CSS = """
{name} {{ align: center middle; }}
{name} > .box {{ width: 76; max-width: 95%; height: auto; max-height: 90%; padding: 0 1;
                 border: round $accent; background: $surface; }}
"""
# A class, which counts for more than the heights that containers bring along.


class Help(ModalScreen[None]):
    """All keys, and what they do."""

    DEFAULT_CSS = _CSS.format(name="Help")
    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,q,enter", "dismiss", "Close")]

    def __init__(self, lines: Sequence[tuple[str, str]], note: str) -> None:
        super().__init__()
        self._lines = lines
        self._note = note

    def compose(self) -> ComposeResult:
        """The keys as a table of two columns."""
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold", justify="right", no_wrap=True)
        for key, what in self._lines:
            table.add_row(Text(key), Text(what))
        with VerticalScroll(classes="box"):
            yield Static(table)
            yield Static(f"\n{self._note}", markup=False)


class AnswerLine(Input):
    """A line that takes all of its keys itself, in the order in which they came.

    Textual types letters at once, and sends what deletes, moves and submits around by the app: of keys
    that come at once, as a slow connection sends them, those that were typed last were taken first.
    """

    ACTIONS: ClassVar[dict[str, str]] = {
        key: binding.action
        for binding in Input.BINDINGS
        if isinstance(binding, Binding)
        for key in binding.key.split(",")
    }

    async def on_key(self, event: events.Key) -> None:
        """Do at once what a key of a line does."""
        if await self.take(event):
            event.stop()
            event.prevent_default()

    async def take(self, event: events.Key) -> bool:
        """Whether this is a key of a line; it is done then."""
        if event.is_printable and event.character is not None:
            self.replace(event.character, *self.selection)
        elif event.key in self.ACTIONS:
            await self.run_action(self.ACTIONS[event.key])
        else:
            return False
        return True


class Ask(ModalScreen[str | None]):
    """A question that is answered with one line; Escape answers nothing.

    An answer that is refused is asked for again, with what is wrong about it. What is typed before the line
    is there is kept for it.
    """

    DEFAULT_CSS = _CSS.format(name="Ask") + "Ask Label { width: 100%; } Ask .wrong { color: $text-error; }"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss", "Cancel")]

    def __init__(self, question: str, answer: str = "", wrong: str = "") -> None:
        super().__init__()
        self._question = question
        self._answer = answer
        self._wrong = wrong
        self._ahead: list[events.Key] = []
        self._line: AnswerLine | None = None

    async def type_ahead(self, event: events.Key) -> bool:
        """Whether this is a key of the line, which was pressed before that was there; it is taken then."""
        if self._line is not None:
            return await self._line.take(event)
        taken = event.is_printable or event.key in AnswerLine.ACTIONS
        if taken:
            self._ahead.append(event)
        return taken

    async def on_mount(self) -> None:
        """Take what was typed meanwhile; as a rule the answer is selected, and what is typed replaces it."""
        self._line = line = self.query_one(AnswerLine)
        line.focus()
        line.action_select_all()
        for event in self._ahead:
            await line.take(event)

    def compose(self) -> ComposeResult:
        """The question above the line, and what was wrong below it."""
        with Vertical(classes="box"):
            yield Label(self._question, markup=False)
            yield AnswerLine(self._answer, select_on_focus=False)
            if self._wrong:
                yield Label(self._wrong, markup=False, classes="wrong")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the answer."""
        self.dismiss(event.value.strip())


class Confirm(ModalScreen[bool]):
    """A question that is answered by yes or no; Escape is no."""

    DEFAULT_CSS = _CSS.format(name="Confirm")
    BINDINGS: ClassVar[list[BindingType]] = [
        ("y,enter", "dismiss(True)", "Yes"),
        ("n,escape,q", "dismiss(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The question, and how it is answered."""
        yield Static(f"{self._question}\n\ny yes   n no", markup=False, classes="box")


class Pick(ModalScreen[str | None]):
    """A choice from a list, below what is said about it."""

    DEFAULT_CSS = _CSS.format(name="Pick") + "Pick OptionList { height: auto; max-height: 16; border: none; }"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss", "Cancel")]

    def __init__(self, names: Sequence[tuple[str, str]], current: str, heading: str = "") -> None:
        super().__init__()
        self._names = names
        self._current = current
        self._heading = heading

    def compose(self) -> ComposeResult:
        """The names with their descriptions; the current one is highlighted."""
        with VerticalScroll(classes="box"):
            if self._heading:
                yield Static(f"{self._heading}\n", markup=False)
            yield OptionList(*(Text.assemble((name, "bold"), f"  {what}") for name, what in self._names))

    def on_mount(self) -> None:
        """Begin at the current name."""
        options = self.query_one(OptionList)
        options.highlighted = [name for name, _ in self._names].index(self._current)
        options.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the name."""
        self.dismiss(self._names[event.option_index][0])
