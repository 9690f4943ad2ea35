"""Self-play: the same files whoever plays, whatever interrupts; nothing played twice; nothing mixed."""

import functools
import itertools
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.missing import missing_pairs
from tests.support.small_matches import LIMIT, NOISE, digests, hand, kalah, matchup, openings, play
from tunesmith.engine import Board
from tunesmith.engine.match import Arena
from tunesmith.experiments.proofs._dying import workers
from tunesmith.games.errors import InputError, StudyError
from tunesmith.tuning import manifest
from tunesmith.tuning.play import selfplay
from tunesmith.tuning.play.backends import backend_of
from tunesmith.tuning.play.matchup import Matchup, Noise, pair_seed
from tunesmith.tuning.play.records import SCHEMA, table_of, write_parquet
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.play.store import part_path, read_games, shard_path
from tunesmith.tuning.play.worker import new_arena

PAIRS = range(80)  # one whole shard and a piece of the next


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play the pairs in one go, in this process."""
    folder = tmp_path_factory.mktemp("undisturbed")
    play(folder, PAIRS)
    return folder


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep batches small, so that interruptions find something to interrupt."""
    monkeypatch.setattr("tunesmith.tuning.play.pool.BATCH_SECONDS", 0.005)


class StopError(Exception):
    """Whatever ends a run from outside."""


def stop_after(pairs: int, error: type[BaseException] = StopError) -> Callable[[str, int, int], None]:
    """Return a progress function that raises once so many pairs are done."""

    def progress(_what: str, done: int, _total: int) -> None:
        if done >= pairs:
            raise error

    return progress


# --- the same bytes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_files_do_not_depend_on_workers(undisturbed: Path, tmp_path: Path, jobs: int) -> None:
    play(tmp_path, PAIRS, jobs=jobs, backend="loky")
    assert digests(tmp_path) == digests(undisturbed)
    assert len(digests(tmp_path)) == 2


def test_files_do_not_depend_on_threads(undisturbed: Path, tmp_path: Path) -> None:
    play(tmp_path, PAIRS, jobs=3, backend="threads")
    assert digests(tmp_path) == digests(undisturbed)


@pytest.mark.parametrize("error", [StopError, KeyboardInterrupt])
@pytest.mark.parametrize("backend", ["threads", pytest.param("loky", marks=pytest.mark.slow)])
def test_an_interrupted_run_ends_in_the_same_files(
    undisturbed: Path, tmp_path: Path, error: type[BaseException], backend: str
) -> None:
    for pairs in (1, 30, 70):
        with pytest.raises(error):
            play(tmp_path, PAIRS, jobs=2, backend=backend, progress=stop_after(pairs, error))
        there = missing_pairs(tmp_path, PAIRS)
        assert len(there) <= len(PAIRS) - pairs
    play(tmp_path, PAIRS, jobs=2, backend=backend)
    assert digests(tmp_path) == digests(undisturbed)


def test_a_run_in_pieces_ends_in_the_same_files(undisturbed: Path, tmp_path: Path) -> None:
    for pairs in (range(3, 9), range(50, 70), range(0, 40), PAIRS):
        summary = play(tmp_path, pairs)
        assert summary.pairs == len(pairs)
    assert digests(tmp_path) == digests(undisturbed)


def test_a_killed_worker_costs_no_game(undisturbed: Path, tmp_path: Path) -> None:
    killed = []

    def kill_one(_what: str, done: int, _total: int) -> None:
        if done >= 5 and not killed:
            killed.append(workers(os.getpid())[0])
            os.kill(killed[0], 9)

    summary = play(tmp_path, PAIRS, jobs=2, backend="loky", progress=kill_one)
    assert killed
    assert summary.faults == 0
    assert digests(tmp_path) == digests(undisturbed)


# --- what is played ----------------------------------------------------------------------------------------


def test_resuming_plays_exactly_what_is_missing(undisturbed: Path, tmp_path: Path) -> None:
    play(tmp_path, PAIRS)
    shard_path(tmp_path, 1).unlink()
    assert missing_pairs(tmp_path, PAIRS) == list(range(64, 80))
    done = []
    play(tmp_path, PAIRS, progress=lambda _, pairs, total: done.append(pairs))
    assert done[0] == 64
    assert done[-1] == 80
    done.clear()
    play(tmp_path, PAIRS, progress=lambda _, pairs, total: done.append(pairs))
    assert done == []
    assert digests(tmp_path) == digests(undisturbed)


def test_games_are_those_of_an_arena(undisturbed: Path) -> None:
    arena: Arena = new_arena(matchup(), kalah())
    games = read_games(undisturbed)
    for number in (0, 17, 79):
        records = arena.play_pair(openings()[number].moves, pair_seed(1, number))
        for game, record in enumerate(records):
            row = 2 * number + game
            own = slice(games.starts[row], games.starts[row + 1])
            assert games.moves[own].tolist() == record.moves.tolist()
            np.testing.assert_array_equal(games.scores[own], record.scores)
            assert games.result[row] == record.result


def test_games_are_legal_and_end_as_they_say(undisturbed: Path) -> None:
    games, game = read_games(undisturbed), kalah()
    for row in range(0, len(games), 16):
        board = Board(game)
        for move in games.moves[games.starts[row] : games.starts[row + 1]].tolist():
            assert not board.is_over
            text = game.move_to_text(board.state, move)
            assert text in board.legal()
            board.push(text)
        assert board.is_over
        assert (board.result, board.reason) == (games.result[row], games.end_reason[row])


def test_rows_say_who_played_what(undisturbed: Path) -> None:
    games = read_games(undisturbed)
    assert games.pair.tolist() == [pair for pair in PAIRS for _ in (0, 1)]
    assert games.game.tolist() == [0, 1] * len(PAIRS)
    assert games.opening.tolist() == [openings()[pair].text for pair in games.pair]
    assert set(games.n_opening.tolist()) == {6}
    assert games.table.schema.remove_metadata() == SCHEMA
    assert set(games.table["first_weights"].to_pylist()) == {hand().digest}
    for row in range(len(games)):
        start = games.starts[row]
        assert tuple(games.moves[start : start + 6].tolist()) == openings()[games.pair[row]].moves
        assert np.isnan(games.scores[start : start + 6]).all()


def test_players_change_sides_within_a_pair(tmp_path: Path) -> None:
    from tunesmith.tuning.play import selfplay

    first, second = hand("hand-1"), hand("hand-2")
    one = Matchup("kalah", first, second, (LIMIT, LIMIT), 1, hash_mb=1)
    selfplay.play(one, openings(), range(4), tmp_path, Resources(1, "threads"))
    table = read_games(tmp_path).table
    assert table["first_weights"].to_pylist() == [first.digest, second.digest] * 4
    assert table["second_weights"].to_pylist() == [second.digest, first.digest] * 4


def test_every_game_has_its_own_seed_and_every_pair_its_own_opening(
    undisturbed: Path, tmp_path: Path
) -> None:
    games = read_games(undisturbed)
    play(tmp_path, range(20), seed=2)
    other = read_games(tmp_path)
    assert len({*games.seed.tolist(), *other.seed.tolist()}) == len(games) + len(other)
    assert len(set(games.opening.tolist())) == len(PAIRS)
    assert not np.array_equal(games.take(games.pair < 20).moves, other.moves)


def test_settings_are_stored_without_clock_values(undisturbed: Path) -> None:
    settings = read_games(undisturbed).settings
    assert settings["game"] == kalah().spec
    assert settings["limits"] == [LIMIT, LIMIT]
    assert settings["players"] == [hand().digest, hand().digest]
    assert settings["noise"] == list(NOISE.thousandths)
    assert settings["options"][0]["objective"] == "result"
    assert sorted(settings) == [
        "code of the engine", "code of the game", "game", "hash_mb", "limits", "move_cap", "noise",
        "options", "players", "seed", "version",
    ]  # fmt: skip


def test_capped_games_have_no_result(tmp_path: Path) -> None:
    summary = play(tmp_path, range(4), move_cap=12)
    games = read_games(tmp_path)
    assert summary.capped == 8
    assert summary.results == {"first": 0, "draw": 0, "second": 0}
    assert games.table["result"].to_pylist() == [None] * 8
    assert np.diff(games.starts).tolist() == [12] * 8


def test_equal_players_without_noise_play_each_game_twice(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    summary = play(tmp_path, range(6), noise=Noise())
    assert summary.games == 12
    assert summary.distinct_games == 6
    assert "only 6 of 12 games are distinct" in summary.warnings[0]
    assert "both players are the same and nothing is random" in caplog.text


# --- what is refused ---------------------------------------------------------------------------------------


def test_a_scheduler_without_a_cluster_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"--scheduler tcp://a:1: is for --backend dask, found --backend loky"
    ):
        backend_of("loky", "tcp://a:1")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"seed": 2},
            r"made with other settings; use them again, or another --out:\n  seed: stored 1, now 2",
        ),
        ({"limit": "nodes:41"}, r'limits: stored \["nodes:40", "nodes:40"\]'),
        ({"noise": Noise()}, "noise"),
        ({"options": {"futility": 70}}, r"options of player 0\.futility: stored 0, now 70\n"),
        ({"openings": openings()[1:]}, "pair 0 was played from another opening"),
    ],
)
def test_a_folder_holds_games_of_one_kind(
    undisturbed: Path, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(StudyError, match=message):
        play(undisturbed, range(90), **changes)


def test_a_folder_that_cannot_be_written_is_an_error_before_the_first_game(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StudyError, match="cannot be written"):
        play(tmp_path / "file" / "games", range(2))


def test_a_full_disk_is_an_error_that_names_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tunesmith.tuning.play.selfplay.write_parquet", fail)
    with pytest.raises(StudyError, match=r"cannot be written: No space left"):
        play(tmp_path, range(2))


# --- damage ------------------------------------------------------------------------------------------------


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    """Leave a run with one whole shard and some parts."""
    with pytest.raises(StopError):
        play(tmp_path, PAIRS, progress=stop_after(70))
    assert shard_path(tmp_path, 0).is_file()
    assert list(tmp_path.glob("*.part-*"))
    return tmp_path


def test_damaged_games_are_refused_by_name_set_aside_and_played_again(
    unfinished: Path, undisturbed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    last = max(unfinished.glob("*.part-*"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    for path in (last, shard_path(unfinished, 0)):
        path.write_bytes(path.read_bytes()[:-100])
        with pytest.raises(
            StudyError, match=rf"{path.name}: damaged: .*; .* sets it aside and plays its games"
        ):
            read_games(unfinished)
        play(unfinished, PAIRS)
        assert f"set aside as {path.stem}.damaged" in caplog.text
        assert path.with_suffix(".damaged").is_file()
        assert digests(unfinished) == digests(undisturbed)


def test_games_that_nobody_vouches_for_are_replayed_and_entered(
    unfinished: Path, undisturbed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in (manifest.NAME, manifest.NEWS):
        (unfinished / name).unlink(missing_ok=True)
    n_there = len(read_games(unfinished))
    assert not (unfinished / manifest.NAME).exists()  # a reader changes nothing
    play(unfinished, range(n_there // 2))
    (unfinished / manifest.NAME).write_text("rubbish\n")
    play(unfinished, PAIRS)
    assert digests(unfinished) == digests(undisturbed)
    assert not list(unfinished.glob("*.damaged"))
    assert "SHA256SUMS: damaged, not used" in caplog.text


def test_a_kill_between_a_file_and_the_removal_of_its_parts_costs_nothing(
    unfinished: Path, undisturbed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every rename and removal there is."""
    for stop in itertools.count():
        steps = itertools.count()

        def dies(self: Path, *arguments: Any, step: Any, own: Any, stop: int = stop, **more: Any) -> Any:
            if next(step) == stop:
                raise StopError
            return own(self, *arguments, **more)

        with monkeypatch.context() as patch:
            for name in ("replace", "unlink"):
                patch.setattr(Path, name, functools.partialmethod(dies, step=steps, own=getattr(Path, name)))
            try:
                play(unfinished, PAIRS)
            except StopError:
                continue
        break
    assert stop > 5
    assert digests(unfinished) == digests(undisturbed)
    assert not list(unfinished.glob("*.damaged"))


def test_what_a_killed_writer_left_is_removed(unfinished: Path, undisturbed: Path) -> None:
    draft = unfinished / ".shard-00001.parquet.draft"
    draft.write_bytes(b"PAR1")
    play(unfinished, PAIRS)
    assert not draft.exists()
    assert digests(unfinished) == digests(undisturbed)


def test_parts_that_are_in_a_shard_already_count_once(undisturbed: Path, tmp_path: Path) -> None:
    play(tmp_path, PAIRS)
    whole = table_of(shard_path(tmp_path, 0).read_bytes())
    # As after a kill between merging and removing.
    write_parquet(whole.slice(0, 10), part_path(tmp_path, 0, 4))
    assert len(read_games(tmp_path)) == 2 * len(PAIRS)
    play(tmp_path, PAIRS)
    assert digests(tmp_path) == digests(undisturbed)


def test_order_of_answers_does_not_matter(undisturbed: Path) -> None:
    games = read_games(undisturbed)
    for first, second in itertools.pairwise(range(0, len(games), 2)):
        assert games.pair[first] < games.pair[second]


def test_pairs_that_took_workers_along_are_remembered_until_all_are_played(tmp_path):
    folder = selfplay.PairFolder(matchup(), openings(), range(4), tmp_path)
    folder.remember(Counter({2: 2}))
    again = selfplay.PairFolder(matchup(), openings(), range(4), tmp_path)
    assert again.deaths() == {2: 2}
    (tmp_path / selfplay.SUSPECTS).write_text("rubbish")
    assert again.deaths() == {}
    play(tmp_path, range(4))
    assert not (tmp_path / selfplay.SUSPECTS).exists()
