"""Which folder may be continued as a study, and which is refused."""

import pytest

from tests.support.small_matches import kalah
from tunesmith.games.errors import StudyError
from tunesmith.tuning import config
from tunesmith.tuning.cli import run
from tunesmith.tuning.documents.status import StudyFile
from tunesmith.tuning.pipeline.study import run_study
from tunesmith.tuning.play.resources import Resources
from tunesmith.tuning.study import open_study, require


def test_changed_settings_are_refused_with_a_list(study_file, finished):
    changed = config.load(study_file, changes=["play.pairs=71", "fit.blend=0.5"])
    with pytest.raises(StudyError) as error:
        run_study(changed, finished, Resources())
    assert 'fit.blend: stored "auto", now 0.5' in str(error.value)
    assert "play.pairs: stored 70, now 71" in str(error.value)


def test_a_folder_with_other_files_is_left_alone(study_file, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(StudyError, match=r"holds files but no study\.json"):
        run_study(config.load(study_file), tmp_path, Resources())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


SEARCHING = {"search": {"trials": 4}, "verify": {"opponents": ["hand-1"]}}
PINS = {"code of the game": "a", "digest of hand-1": "b"}


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (
            "shard-00000.parquet",
            "but games: tunesmith dataset .* describes them, tunesmith show GAME --study",
        ),
        ("gauntlet.json", "but a gauntlet: "),
        ("ladder.json", "but a ladder: "),
        ("engines-study.json", "but a study of engines: tunesmith report"),
        ("one/study.json", "but a folder of studies: tunesmith studies"),
        ("notes.txt", r"\(no study.json\)$"),
    ],
)
def test_a_folder_that_is_no_study_is_told_with_the_command_for_what_it_is(file, words, tmp_path, capsys):
    path = tmp_path / "it" / file
    path.parent.mkdir(parents=True)
    path.write_text("")
    with pytest.raises(StudyError, match=words):
        require(tmp_path / "it")
    assert run(["status", str(tmp_path / "it")]) == 2
    told = capsys.readouterr().err
    if file != "engines-study.json":
        assert run(["report", str(tmp_path / "it")]) == 2
        assert capsys.readouterr().err == told


def settings(**changes):
    """Return the settings of a search with some sections changed."""
    made = {section: {**fields, **changes.pop(section, {})} for section, fields in SEARCHING.items()}
    return config.StudyConfig(name="s", game=kalah().name, **made, **changes)


@pytest.fixture
def root(tmp_path):
    open_study(tmp_path / "s", settings(), PINS)
    return tmp_path / "s"


def test_another_edition_of_openings_is_refused_and_none_is_the_first(root):
    with pytest.raises(StudyError, match=r"openings\.edition: stored 1, now 2"):
        open_study(root, settings(openings={"edition": 2}), PINS)
    path = root / "study.json"
    stored = StudyFile.read(path).content()
    del stored["config"]["openings"]["edition"]
    StudyFile.of(stored, path).write(path)
    assert open_study(root, settings(), PINS).config == settings()
    with pytest.raises(StudyError, match=r"openings\.edition: stored 1, now 2"):
        open_study(root, settings(openings={"edition": 2}), PINS)


def begin_proof(root):
    (root / "verify").mkdir()


def test_before_the_proof_its_terms_may_change_and_trials_may_be_added(root):
    other = settings(verify={"limit": "nodes:77", "opponents": ["greedy"]}, search={"trials": 6})
    pins = {"code of the game": "a", "digest of greedy": "c"}
    assert open_study(root, other, pins).config == other
    stored = require(root)
    assert (stored.config["verify"]["limit"], stored.config["search"]["trials"], stored.pinned) == (
        "nodes:77",
        6,
        pins,
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"verify": {"limit": "nodes:77"}}, 'verify.limit: stored "nodes:1000", now "nodes:77"'),
        ({"search": {"trials": 6}}, "search.trials: stored 4, now 6"),
    ],
)
def test_once_the_proof_has_begun_they_may_not(root, changes, words):
    begin_proof(root)
    with pytest.raises(StudyError) as error:
        open_study(root, settings(**changes), PINS)
    assert words in str(error.value)


def test_other_terms_of_a_proof_do_not_block_a_search_and_stay_as_they_were(root):
    begin_proof(root)
    before = (root / "study.json").read_bytes()
    found = open_study(root, settings(verify={"limit": "nodes:77"}), PINS, has_proof=False)
    assert found.config == settings()
    assert (root / "study.json").read_bytes() == before


def test_other_code_and_what_a_search_depends_on_are_refused_all_the_same(root):
    for other, pins in ((settings(seed=5), PINS), (settings(), PINS | {"code of the game": "x"})):
        with pytest.raises(StudyError, match="made with other settings"):
            open_study(root, other, pins, has_proof=False)


def test_a_sampler_that_is_laid_out_for_its_total_says_so(tmp_path):
    open_study(tmp_path / "s", settings(search={"sampler": "spsa"}), PINS)
    with pytest.raises(
        StudyError, match=r"search.trials: stored 4, now 6 \(spsa lays out its steps for the num"
    ):
        open_study(tmp_path / "s", settings(search={"sampler": "spsa", "trials": 6}), PINS)
