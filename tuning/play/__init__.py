"""Who plays whom, from which openings, on which workers, and what is kept of it?

- `adjudication`: How often is a game decided wrongly when it is decided by its players' scores?
- `backends`: Where pairs are played: on which workers, and how one of them ended
- `bench`: How fast is it?
- `bench_features`: Which feature is slow?
- `bench_techniques`: What does each search technique save?
- `cluster`: A Dask cluster as a place to play: is it there, has it our code, and what if it goes away?
- `gauntlet`: Several players against each other on common openings: a table of all pairings, ratings, circles
- `isolated`: Play in a process of one's own, so that a game that hangs or dies takes nobody else along
- `ladder`: Does a search technique win games?
- `load`: How busy was the machine while games under a time limit were played?
- `match`: Matches and self-play outside a study: from players to games and a result in words
- `matchup`: Who plays whom, and how; what a worker is given, and what it gives back
- `playable`: Which matches cannot be played? They are refused before the first game
- `player`: Who is meant by NAME or NAME@key=value,key=value: which weights, search options, limit and book?
- `point_of_view`: Whose result is it? From the first player's view to the first-named player's
- `pool`: Pairs of one match or of many go in, answers come out as they are ready: what is played next, and who
  is to blame when a worker dies or hangs (its pair becomes a fault)?
- `precompile`: Compile what a game needs before somebody waits for it
- `proofread`: Are stored games what was played, where no digest vouches for them?
- `rating`: What do the games of several players say together? Ratings, pairings, circles, and what they cannot say
- `records`: Games as a table: one row a game, in the order of pair and game
- `replay`: Positions of played games, at compiled speed: replay the moves, look at the states
- `resources`: With what are games played, and who hears of it?
- `selfplay`: Self-play: pairs by global number, from openings to files, on any number of workers
- `store`: A folder of games: shards of 64 pairs, and parts of shards while they are being played
- `summary`: Counts of played games: results, reasons, lengths, how many games are distinct, results of pairs
- `tally`: Running counts of games as they come in, for whoever watches: results, faults, how many games are
  distinct
- `ugi_lines`: What do lines of UGI say? The Universal Game Interface, as our programs read it
- `worker`: What a worker does: play pairs by their numbers, and answer with records that carry those numbers
- `openings/`: Where do the games of a match begin?
- `sandbox/`: How does a game that hangs, crashes or breaks a rule take nobody else along?

To add a place to play, write a `backends.Backend` and name it in `backends.BACKENDS`; to add a column of what
is kept of a game, edit `records`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.play.match import play_match, play_self
    from tunesmith.tuning.play.matchup import Matchup, Opponent
    from tunesmith.tuning.play.openings import choose_openings
    from tunesmith.tuning.play.openings.opening import Opening
    from tunesmith.tuning.play.records import Games
    from tunesmith.tuning.play.resources import Resources
    from tunesmith.tuning.play.selfplay import play
    from tunesmith.tuning.play.store import read_games
    from tunesmith.tuning.play.summary import pair_results, summarise

__all__ = [
    "Games",
    "Matchup",
    "Opening",
    "Opponent",
    "Resources",
    "choose_openings",
    "pair_results",
    "play",
    "play_match",
    "play_self",
    "read_games",
    "summarise",
]
__getattr__, __dir__ = offered(__name__, __file__)
