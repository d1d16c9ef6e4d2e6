"""Every public name of msat, once, with the module it lives in.

Type checkers and editors read this file, and so does `msat/__init__.py`, which loads a name from there when
it is first used. One name a line, in this very form: `from MODULE import NAME as NAME`.
"""

from msat import arena as arena
from msat import strategies as strategies
from msat import svg as svg
from msat.analysis import Analysis as Analysis
from msat.analysis import analyze as analyze
from msat.batch import analyze_many as analyze_many
from msat.batch import probabilities as probabilities
from msat.board import HIDDEN as HIDDEN
from msat.board import MINE as MINE
from msat.board import PRESETS as PRESETS
from msat.board import Board as Board
from msat.coach.advice import Advice as Advice
from msat.coach.best_move import best_move as best_move
from msat.coach.difficulty import Difficulty as Difficulty
from msat.coach.difficulty import difficulty as difficulty
from msat.coach.levels import Hint as Hint
from msat.coach.levels import hint as hint
from msat.coach.marks import Mark as Mark
from msat.coach.marks import judge_marks as judge_marks
from msat.coach.review import review as review
from msat.coach.reviewed import Review as Review
from msat.coach.walkthrough import Walkthrough as Walkthrough
from msat.coach.walkthrough import walkthrough as walkthrough
from msat.conversion import convert as convert
from msat.engines.counting.sampling import sample as sample
from msat.engines.rules.deductions import Deduction as Deduction
from msat.engines.rules.deductions import deductions as deductions
from msat.errors import ArenaError as ArenaError
from msat.errors import BenchError as BenchError
from msat.errors import BoardError as BoardError
from msat.errors import BudgetExceeded as BudgetExceeded
from msat.errors import CellError as CellError
from msat.errors import CheckFailed as CheckFailed
from msat.errors import ClusterError as ClusterError
from msat.errors import EngineError as EngineError
from msat.errors import FileError as FileError
from msat.errors import FolderError as FolderError
from msat.errors import GameError as GameError
from msat.errors import InconsistentBoard as InconsistentBoard
from msat.errors import LayoutError as LayoutError
from msat.errors import MissingFile as MissingFile
from msat.errors import MissingPackage as MissingPackage
from msat.errors import MsatError as MsatError
from msat.errors import ParameterError as ParameterError
from msat.errors import RecordError as RecordError
from msat.errors import UnknownName as UnknownName
from msat.errors import WrongType as WrongType
from msat.explanation.conflict import Contradiction as Contradiction
from msat.explanation.conflict import explain_contradiction as explain_contradiction
from msat.explanation.explanation import Explanation as Explanation
from msat.explanation.explanation import explain as explain
from msat.game import Game as Game
from msat.kata import solve as solve
from msat.layout import Layout as Layout
from msat.measures import Metrics as Metrics
from msat.measures import metrics as metrics
from msat.player import play as play
from msat.record import Move as Move
from msat.record import Record as Record
from msat.winning import WinProbability as WinProbability
from msat.winning import win_probability as win_probability

__version__: str
