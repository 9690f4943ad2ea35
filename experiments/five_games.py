"""Table and picture of the five games in the README, from the proofs in the tuned files and the answer to `tuned`.

    python -m tunesmith.experiments.five_games

The gain, its interval and the number of games at the study's own limit are the proof's, in every tuned file. Deeper
search and equal time come from `python -m tunesmith.experiments.questions tuned`, which played both files once more;
so does the sentence under the table that says what each match at equal time shows.
The picture is `results/five-games.svg`."""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from tunesmith import games as game_registry
from tunesmith.engine import files
from tunesmith.engine import weights as weight_files
from tunesmith.experiments.questions.ask import RESULTS
from tunesmith.experiments.questions.page import markdown, sentences
from tunesmith.games.errors import InputError, TunesmithError
from tunesmith.tuning.files import read_json
from tunesmith.tuning.proof import promotion
from tunesmith.tuning.report import charts
from tunesmith.tuning.report.html import Markup, el
from tunesmith.tuning.stats.elo import estimate
from tunesmith.tuning.stats.words import interval_words

GAMES = ("kalah", "pentago", "fanorona", "expendibots", "ropasci360")
PICTURE = RESULTS.parent / "five-games.svg"
HEADER = ("game", "gain, equal nodes", "games", "deeper", "at equal time", "digest of the weights")


def rows() -> list[list[str]]:
    """Return a row a game.

    Raises
    ------
    InputError
        A game has no tuned weights, or the answer lacks it or is about other weights.
    """
    asked = _asked()
    parts = {part["name"]: part for part in asked["parts"]}
    return [_row(name, parts) for name in GAMES]


def claims() -> list[str]:
    """Return what the matches at equal time show, a sentence a game, with the load of the machine beside each."""
    asked = _asked()
    parts = {part["name"]: part for part in asked["parts"]}
    return [_claim(parts[name], asked["settings"]) for name in GAMES]


def _claim(part: dict[str, Any], settings: dict[str, Any]) -> str:
    return f"`{part['name']}`, {part['figures'][-1]['games']:,} games at {sentences(part, settings)[-1]}"


def _asked() -> dict[str, Any]:
    found: dict[str, Any] | None = read_json(RESULTS / "tuned.json")
    if found is None:
        raise InputError(
            f"{RESULTS / 'tuned.json'}: not there; python -m tunesmith.experiments.questions tuned makes it"
        )
    return found


def _row(name: str, asked: dict[str, Any]) -> list[str]:
    digest, gain = proved(name)
    if asked[name]["weights"][0] != digest:
        raise InputError(f"tuned.json: answers for other weights of {name}; ask again")
    deep, timed = asked[name]["figures"][-2:]
    return [
        f"`{name}`",
        f"**{gain['elo']:+z.0f} ± {gain['elo_half_width']:.0f}** ({gain['limit']})",
        f"{gain['games']:,}",
        _cell(deep),
        _cell(timed),
        f"`{digest[:12]}`",
    ]


def proved(name: str) -> tuple[str, dict[str, Any]]:
    """Return the digest of the tuned weights of a game, and the gain that their proof measured.

    Raises
    ------
    InputError
        Their file has no proof of them.
    """
    tuned = weight_files.load("tuned", game_registry.load(name))
    own = [proof for proof in tuned.proof if proof.get("candidate") == tuned.digest]
    if not own:
        raise InputError(f"tuned weights of {name}: expected a proof of them, found none")
    return tuned.digest, own[-1]["gain"]


def verdict(name: str) -> str:
    """Return the verdict of a game's study, as it stands in the proof of its tuned weights."""
    tuned = weight_files.load("tuned", game_registry.load(name))
    return promotion.sentences(tuned)[-1]


def _cell(one: dict[str, Any]) -> str:
    return f"{interval_words(estimate(one['counts']), 0)} ({one['limit']})"


def table() -> str:
    """Return the table as Markdown, and the sentences below it."""
    return "\n".join([*markdown(HEADER, rows()), "", *(f"- {text}." for text in claims())])


# The picture: a row a game, Elo to the right; it stands alone, so colours for light and dark are its own.
_LEFT, _WIDTH, _ROW, _TOP = 130, 590, 34, 52
_STYLE = """text{font:14px system-ui,sans-serif;fill:#1c2733}.small{font-size:12px;fill:#5a6772}.grid{stroke:#d5dbe0}
.zero{stroke:#5a6772}.whisker{stroke:#1f6fb2;stroke-width:2}.dot{fill:#1f6fb2}
@media(prefers-color-scheme:dark){text{fill:#e6ebef}.small{fill:#9aa7b2}.grid{stroke:#3a4650}.zero{stroke:#9aa7b2}
.whisker{stroke:#6db3f2}.dot{fill:#6db3f2}}"""


class _Gain(NamedTuple):
    """Elo over the hand-made weights, with the ends of its 95 % interval."""

    game: str
    elo: float
    low: float
    high: float


def picture() -> str:
    """Return the gains of the five games as SVG."""
    gains = [_Gain(name, *(proved(name)[1][key] for key in ("elo", "elo_low", "elo_high"))) for name in GAMES]
    scale = charts.linear([end for one in gains for end in (one.low, one.high)], include=(0.0,), n=5)
    height = _TOP + _ROW * len(gains) + 30
    words = "; ".join(
        f"{one.game} {one.elo:+z.0f} Elo ({one.low:+z.0f} to {one.high:+z.0f})" for one in gains
    )
    parts = [
        el("title", f"Elo of the tuned weights over the hand-made ones: {words}"),
        el("style", Markup(_STYLE)),
        el("text", "Elo gained over the hand-made weights, equal nodes, with 95 % intervals", x=12, y=24),
        *_axis(scale, height - 24),
        *(part for at, one in enumerate(gains) for part in _marks(scale, one, _TOP + _ROW * at + _ROW // 2)),
    ]
    drawn = el(
        "svg", *parts,
        xmlns="http://www.w3.org/2000/svg", role="img", viewBox=f"0 0 800 {height}", width=800, height=height,
    )  # fmt: skip
    return drawn + "\n"


def _x(scale: charts.Scale, elo: float) -> float:
    return round(_LEFT + _WIDTH * scale.at(elo) / 100, 1)


def _axis(scale: charts.Scale, bottom: int) -> Iterator[Markup]:
    for tick in scale.ticks:
        x = _x(scale, tick)
        yield el("line", x1=x, x2=x, y1=_TOP - 8, y2=bottom - 14, class_="grid" if tick else "zero")
        yield el("text", charts.tick_text(tick), x=x, y=bottom + 6, text_anchor="middle", class_="small")


def _marks(scale: charts.Scale, one: _Gain, y: int) -> Iterator[Markup]:
    low, high = _x(scale, one.low), _x(scale, one.high)
    yield el("text", one.game, x=12, y=y + 5)
    yield el("line", x1=low, x2=high, y1=y, y2=y, class_="whisker")
    yield from (el("line", x1=end, x2=end, y1=y - 5, y2=y + 5, class_="whisker") for end in (low, high))
    yield el("circle", cx=_x(scale, one.elo), cy=y, r=5, class_="dot")
    yield el("text", f"{one.elo:+z.0f}", x=_LEFT + _WIDTH + 20, y=y + 5)


if __name__ == "__main__":
    try:
        files.write(PICTURE, picture())
        print(table())
    except TunesmithError as error:
        sys.exit(f"error: {error}")
