"""How a game begins: with moves, or from a position; and the one purpose that a beginning serves."""

from pathlib import Path

from tests.support.small_matches import kalah, openings
from tunesmith.engine import Board
from tunesmith.tuning.files import write_json
from tunesmith.tuning.play.openings.opening import (
    SHARES,
    Opening,
    position_of,
    purpose_of,
    read_rows,
    shares_of,
    to_rows,
)


def test_openings_come_back_from_what_a_study_stores(tmp_path: Path) -> None:
    board = Board(kalah())
    board.play(board.legal_moves()[0])
    position = Opening((), board.text, board.states[-1])
    kept = [*openings()[:3], position, Opening((), "", None)]
    write_json(tmp_path / "stored.json", to_rows(kept))
    assert read_rows(kalah(), tmp_path / "stored.json") == kept


def test_a_record_without_opening_moves_starts_from_the_text_it_has() -> None:
    assert position_of("a position", 0) == "a position"
    assert position_of("3 4", 2) is None and position_of("", 0) is None


def test_purposes_get_their_shares_of_all_positions() -> None:
    for edition in (1, 2, 5):
        found = [purpose_of(key * 7919, edition) for key in range(20_000)]
        for purpose, share in shares_of(edition).items():
            assert abs(found.count(purpose) / 200 - share) < 2  # per cent: six standard errors
    assert shares_of(1) == SHARES


def test_what_one_edition_keeps_for_proofs_serves_no_proof_of_another() -> None:
    kept = [{key for key in range(5000) if purpose_of(key, edition) == "verify"} for edition in range(1, 6)]
    assert all(kept) and len(set().union(*kept)) == sum(map(len, kept))
    assert all({purpose_of(key, 6) for key in early} == {"train", "search"} for early in kept)
