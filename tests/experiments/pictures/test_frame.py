"""Pictures that stand alone: well-formed, in both colours, nothing over the edge or over something else."""

from xml.etree import ElementTree

from tunesmith.experiments.pictures.frame import STYLE, WIDTH, Curve, Point, Row, curves, rows

SVG = "{http://www.w3.org/2000/svg}"
FALLING = Curve("falling", (Point(100, 200, 170, 230), Point(1000, 100, 80, 120)), 0)
LEVEL = Curve("level", (Point(100, 90, 60, 120), Point(1000, 101, 70, 130)), 1, dashed=True)


def places(drawn: ElementTree.Element, name: str, key: str) -> list[float]:
    return [float(one.attrib[key]) for one in drawn.iter(f"{SVG}{name}")]


def test_curves_fall_as_their_figures_do_and_stay_inside() -> None:
    drawn = ElementTree.fromstring(curves("gain", "games", [FALLING, LEVEL], "said"))
    assert drawn[0].text == "said" and drawn.attrib["width"] == str(WIDTH)
    down, across = places(drawn, "circle", "cy"), places(drawn, "circle", "cx")
    assert down[0] < down[1] and across[0] < across[1]  # less Elo is further down, more games further right
    assert all(0 < x < WIDTH for x in across + places(drawn, "line", "x2"))
    labels = {text.text: float(text.attrib["y"]) for text in drawn.iter(f"{SVG}text")}
    assert abs(labels["falling"] - labels["level"]) >= 17  # their ends are one Elo apart
    assert {"100", "1,000"} <= set(labels)


def test_rows_have_headings_figures_and_names_in_lines() -> None:
    long = "fours and threes after the best operation"
    drawn = ElementTree.fromstring(
        rows("title", [Row("game", None, 0), Row(long, FALLING.points[0], 0)], "said")
    )
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert {"game", "fours and threes after the best", "operation", "+200"} <= set(texts)


def test_a_picture_is_readable_in_the_dark_and_runs_nothing() -> None:
    assert "prefers-color-scheme:dark" in STYLE
    drawn = curves("gain", "games", [FALLING], "said")
    assert "<script" not in drawn and "href" not in drawn and len(drawn) < 5000
