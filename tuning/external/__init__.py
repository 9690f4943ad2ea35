"""How are other people's engines tuned and proved, and how does ours play in other people's programs?

- `chess_rules`: Chess: rules and files of openings
- `config`: What a study of engines says, checked against the engines themselves before the first game
- `engine`: An engine that speaks UCI or UGI, as a child process that cannot keep us waiting
- `limits`: What ends the search of a move of an engine: nodes, depth, a time, or a clock with an increment
- `match`: Pairs of games between two engines: threads play, engines are processes, games are lines of a file
- `openings`: Where do the games of two engines begin? Openings of a file, or seeded random ones
- `options`: Options of an engine: what it offers, and what of it somebody may set
- `pgn`: How do games of engines leave the house? As PGN, which every chess program reads, or one a line
- `playing`: One game between two engines: asked in turn, judged by `Rules`, timed by our clocks, adjudicated by
  their scores
- `process_tree`: What has an engine started, and how does all of it end with the engine?
- `programs`: Which program is meant by the command of an engine, and where does it start?
- `protocol`: Which words does an engine understand? UCI, for chess, and UGI, for any game
- `report`: What did a study of engines find?
- `rules`: Who judges a game of two engines: our rules, those of chess, or the engines themselves?
- `study`: A study of engines: a match of two, ratings of more, or a search over the options of one with a proof
- `summary`: What do games of engines amount to? Counts of pairs, of games by result, reason and fault
- `thinking`: A search that goes on while somebody else is listened to: begun, looked at, and stopped at any time
- `tournament`: How strong are three engines or more? All meet on the same openings, and are rated as a gauntlet's
  players are
- `ugi`: Our engine as a program: the conversation in UGI, the Universal Game Interface of kz04px/cutegames
- `words`: What came of a study of engines, in words

To add a setting of such studies, edit `config`; a way to adjudicate games, `playing`; a protocol, `protocol`; other
rules, write what `rules.Rules` asks for."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.external.config import EnginesConfig
    from tunesmith.tuning.external.report import write_report
    from tunesmith.tuning.external.study import run_study

__all__ = ["EnginesConfig", "run_study", "write_report"]
__getattr__, __dir__ = offered(__name__, __file__)
