"""How are other people's engines tuned and proved?

- `chess_rules`: Chess for engines that speak UCI: rules, openings and games
- `config`: What a study of chess engines says, checked against the engines themselves before the first game
- `engine`: An engine that speaks UCI, as a child process that cannot keep us waiting
- `match`: Pairs of chess games between two engines: threads play, engines are processes, games are lines of a
  file
- `pgn`: How do games of chess engines leave the house? As PGN, which every chess program reads, or one a line
- `process_tree`: What has an engine started, and how does all of it end with the engine?
- `report`: What did a study of chess engines find?
- `study`: A study of chess engines: a match of two, or a search over the options of one with a proof of what
  it found
- `thinking`: A search that goes on while somebody else is listened to: begun, looked at, and stopped at any
  time
- `ugi`: Our engine as a program: the conversation in UGI, the Universal Game Interface of kz04px/cutegames
- `words`: What came of a study of chess engines, in words

To add a setting of such studies, edit `config`; a way to adjudicate games, `chess_rules`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.external.config import UciConfig
    from tunesmith.tuning.external.report import write_report
    from tunesmith.tuning.external.study import run_study

__all__ = ["UciConfig", "run_study", "write_report"]
__getattr__, __dir__ = offered(__name__, __file__)
