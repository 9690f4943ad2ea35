"""Studies of chess engines: matches, searches over options, faults, resuming; from the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pages import Page
from tunesmith.tuning.cli import run
from tunesmith.tuning.external import report
from tunesmith.tuning.external.words import contest_words
from tunesmith.tuning.report.dashboard import app
from tunesmith.tuning.stats import elo

FAKE = Path(__file__).parents[2] / "support" / "fake_engine.py"
ROOT = Path(__file__).parents[3]
# White mates on the eighth rank, if it sees that, or is drawn by the fifty moves soon.
SHORT = [f"7k/8/6K1/{'8/' * (4 - row)}{row_text}/{'8/' * row}"[:-1] if row else f"7k/8/6K1/{'8/' * 4}{row_text}"
         for row in range(5) for row_text in (f"{file or ''}R{7 - file}" for file in range(6))]  # fmt: skip
BOOK = '[openings]\nfile = "short.epd"\n'


def engine(*how: str, skill: int = 50, more: str = "") -> str:
    arguments = ", ".join(json.dumps(word) for word in (str(FAKE), *how))
    return (
        f'[[engine]]\ncommand = "{sys.executable}"\narguments = [{arguments}]\n'
        f'options = {{ "Own Skill" = {skill} }}\n{more}'
    )


@pytest.fixture
def study(tmp_path, monkeypatch, capsys):
    """Writes a study and runs it; returns exit code, result and what was said."""
    monkeypatch.chdir(tmp_path)

    def play(text: str, *arguments: str) -> tuple[int, dict, str]:
        Path("short.epd").write_text("".join(f"{board} w - - 94 80\n" for board in SHORT))
        Path("s.toml").write_text('limit = "nodes:9"\nmove_cap = 60\npatience = 5.0\n' + text)
        code = run(["uci", "s.toml", "--out", "out", "--json", "--jobs", "2", *arguments])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {}, said.err

    return play


def games(folder: str = "out/match") -> list[dict]:
    rows = [json.loads(line) for line in (Path(folder) / "games.jsonl").read_text().splitlines()]
    return sorted(rows, key=lambda row: (row["pair"], row["game"]))


def test_a_match_of_two_settings_counts_pairs_as_its_games_say(study):
    code, found, _ = study("pairs = 4\n" + engine(skill=100) + engine(skill=0) + BOOK)
    assert code == 0
    rows = games()
    assert [(row["pair"], row["game"]) for row in rows] == [(n, g) for n in range(4) for g in (0, 1)]
    counts = [0] * 5
    for white, black in zip(rows[::2], rows[1::2], strict=True):
        assert (white["fen"], white["opening"]) == (black["fen"], black["opening"])
        assert white["white"] == black["black"] == found["first"]["digest"] + white["white"][16:]
        if white["result"] is not None and black["result"] is not None:
            counts[2 + white["result"] - black["result"]] += 1
    assert found["counts"] == counts == [0, 0, 0, 4, 0]
    assert found["elo"] == elo.estimate(counts).elo
    assert found["summary"]["games"] == 8 and found["summary"]["faults"] == 0
    assert found["first"]["options"] == {"OwnBook": False, "Hash": 4, "Own Skill": 100}


def test_a_match_goes_on_where_it_stopped_with_the_same_games(study):
    text = engine(skill=100) + engine(skill=0) + BOOK
    whole = study("pairs = 3\n" + text)[1]
    lines = Path("out/match/games.jsonl").read_text().splitlines(keepends=True)
    before = games()
    Path("out/match/games.jsonl").write_text(
        "".join(lines[:3]) + lines[3][:40]
    )  # a pair, half a pair, half a line
    again = study("pairs = 3\n" + text)[1]
    rows = {(row["pair"], row["game"]): row for row in games()}
    assert [rows[key] for key in sorted(rows)] == before
    assert again == whole


def test_other_settings_are_refused_in_the_same_folder(study):
    study("pairs = 1\n" + engine() + engine(skill=0))
    code, _, said = study("pairs = 1\nseed = 2\n" + engine() + engine(skill=0))
    assert code == 2
    assert "seed: stored 1, now 2" in said


def test_faults_are_rows_in_no_score(study):
    code, found, _ = study("pairs = 2\n" + engine() + engine("crash", "second", skill=51))
    assert code == 0
    assert found["summary"]["faults"] == 2 and found["counts"] == [0] * 5
    row = found["faults"][0]
    assert (row["pair"], row["game"], row["fault"], row["end_reason"]) == (0, 0, 1, "crash")
    assert row["names"][1] == "Fake 1.0" and row["moves"] and row["seed"] and "code 3" in row["detail"]


def test_a_match_of_nothing_but_faults_is_given_up(study):
    code, _, said = study("pairs = 20\n" + engine() + engine("illegal", skill=51))
    assert code == 1
    assert "games ended by a fault of an engine" in said and "illegal move: a1a1" in said


def test_no_engine_is_left_after_a_match(study):
    mark = f"mark-{os.getpid()}"
    study("pairs = 2\n" + engine(mark) + engine("stubborn", mark, skill=1) + BOOK)
    assert len(games()) == 4
    found = subprocess.run(["pgrep", "-f", mark], capture_output=True, text=True, check=False)
    assert found.stdout == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (engine(), "a match takes two [[engine]] tables, found one"),
        (engine() + engine().replace("Own Skill", "Own Skil"), "no option 'Own Skil'; did you mean 'Own Skill'"),
        (engine() + engine(skill=900), "expected a whole number, 0 .. 100, found 900"),
        (engine() + engine("deaf"), "does not heed nodes:9"),
        (engine() + engine("silent").replace("[[engine]]", "[[engine]]", 1), "hang"),
        (engine() + '[[engine]]\ncommand = "no-such-engine"\n', "no such program"),
        (engine() + engine(more='limit = "plies:3"\n'), "limit: expected nodes:N"),
        (engine() + '[openings]\nfile = "none.epd"\n' + engine(), "cannot be read"),
        (engine() + engine() + "[openings]\nplies = 0\n", "expected 3 different ones, found 1"),
        (engine() + '[search]\n[search.space]\n"Own Skil" = {}\n', "did you mean 'Own Skill'"),
        (engine() + '[search]\n[search.space]\n"Own Skill" = { low = 0, high = 200 }\n', "0 .. 100, found 200"),
        (engine() + '[search]\n[search.space]\n"Own Skill" = { low = 60, high = 90 }\n', "has to lie within 60 .. 90"),
        (engine() + '[search]\n[search.space]\nBookFile = {}\n', "is text: expected choices"),
        (engine() + '[search]\n[search.space]\nStyle = { low = 1 }\n', "is a choice"),
        (engine() + "[search]\ntrails = 3\n", "did you mean 'trials'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_the_first_game(study, text, words):
    code, _, said = study("pairs = 3\n".replace("5.0", "1.0") + text)
    assert code == 2
    assert words in said
    assert len(said.strip().splitlines()) == 1
    assert not Path("out/match").exists()


def test_a_match_plays_all_openings_of_its_file(study, tmp_path):
    lines = [f"rnbqkbnr/pppppppp/8/8/{row}/8/{rest}/RNBQKBNR b KQkq -" for row, rest in
             (("4P3", "PPPP1PPP"), ("3P4", "PPP1PPPP"))]  # fmt: skip
    (tmp_path / "book.epd").write_text("\n".join([*lines, "bad line"]))
    code, found, said = study(engine() + engine(skill=1) + '[openings]\nfile = "book.epd"\n')
    assert code == 0
    assert [row["fen"].split()[0] for row in games()[::2]] == [line.split()[0] for line in lines]
    assert found["openings"]["bad"] == {"neither EPD nor FEN": [3]} and "line 3" in said


def test_a_sequential_test_ends_a_match(study):
    code, found, _ = study(engine(skill=100) + engine(skill=0) + BOOK + "[test]\nelo1 = 300.0\n")
    assert code == 0
    assert found["decision"] == "H1" and found["llr"] >= found["upper"]
    assert found["pairs"] < len(SHORT) == found["sprt"]["max_pairs"]


TUNE = engine(skill=10) + (
    '[search]\ntrials = 5\npairs = 3\nchunk = 3\n[search.space]\n"Own Skill" = { step = 10 }\nStyle = {}\n'
    "[test]\nmax_pairs = 6\n" + BOOK
)


def test_a_search_over_options_recommends_and_proves_on_other_openings(study):
    code, found, said = study(TUNE)
    assert code == 0 and "trial 5 of 5" in said
    search = found["search"]
    assert sum(search["trials"].values()) == 5
    assert {row["name"] for row in search["space"]} == {"Own Skill", "Style"}
    assert search["start"]["setting"] == {"Own Skill": 10, "Style": "Calm"}
    used = {
        row["fen"] for path in Path("out/search/games").rglob("games.jsonl") for row in games(path.parent)
    }
    proof = {row["fen"] for path in Path("out/verify").iterdir() for row in games(str(path))}
    assert len(used) >= 3 and len(proof) == 6 and not proof & used
    assert search["setting"]["Own Skill"] >= 50
    assert found["verify"]["first"]["options"]["Own Skill"] == search["setting"]["Own Skill"]
    assert found["verify"]["counts"] == [0, 0, 0, 6, 0]
    before = {path: path.read_bytes() for path in Path("out").rglob("games.jsonl")}
    again = study(TUNE)[1]
    assert again == found
    assert {path: path.read_bytes() for path in Path("out").rglob("games.jsonl")} == before
    assert run(["report", "out"]) == 0
    page = Page(Path("out/report.html").read_text())
    assert page.defects == [] and "Own Skill" in page.section("search")
    shown = app._Case(Path("out"), None, [report.reader_of]).shown("x")
    assert len(shown.source.get_all_trials(shown.source_id)) == 5


@pytest.mark.needs_glaurung
def test_the_example_runs(tmp_path, capsys):
    example = ROOT / "experiments" / "uci-example.toml"
    changes = [
        "--set",
        "search.trials=2",
        "--set",
        "search.pairs=2",
        "--set",
        "search.chunk=2",
        "--set",
        "test.max_pairs=2",
    ]
    assert run(["uci", str(example), "--out", str(tmp_path / "out"), "--jobs", "2", *changes]) == 0
    assert "search: recommended Mobility (Middle Game)" in capsys.readouterr().out


def test_report_and_dashboard_show_a_match_and_a_search(study, tmp_path, capsys):
    assert study("pairs = 2\n" + engine(skill=100) + engine(skill=0) + BOOK)[0] == 0
    assert run(["report", "out"]) == 0
    page = Page(Path("out/report.html").read_text())
    assert page.defects == []
    found = json.loads(Path("out/uci.json").read_text())
    assert page.table_rows("counts")[1] == ["Pairs", *map(str, found["counts"])]
    assert page.text.count(contest_words(found)[0]) == 2  # as headline and among the lines
    assert ["Own Skill", "100", "0"] in page.table_rows("engines")
    assert ["seed", "1"] in page.table_rows("settings")
    case = app._Case(Path("out"), None, [report.reader_of])
    assert contest_words(found)[0][:20] in json.dumps(case.shown("x").attributes([]))
    Path("out/uci.json").write_text('{"kind": "match", "counts": 3}')
    assert run(["report", "out"]) == 0
    assert "No match has come to its end." in Page(Path("out/report.html").read_text()).text
    assert run(["report", "out", "--csv", "x"]) == 2
