"""The page's pictures: each has its file and a sentence, and a mark on the page."""

from tunesmith.experiments.figures import ROOT
from tunesmith.experiments.pictures import album


def test_every_picture_stands_on_the_page_with_a_sentence() -> None:
    page = (ROOT / "experiments" / "README.md").read_text(encoding="utf-8")
    found = album.shown(ROOT / "experiments" / "results")
    assert len(found) == 5
    for name, one in found.items():
        assert f"<!-- figure: {name} -->" in page
        assert all(f"results/pictures/{path.name})" in one.text for path in one.files)
        assert one.text.count(".") > len(one.files)
