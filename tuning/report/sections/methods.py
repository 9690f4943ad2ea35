"""What would a student write under "Method", with every setting, seed, version and digest filled in?

Plain sentences in the past tense, to be copied; what the files do not hold is said to be missing rather than
guessed. Below it, all settings and versions as they are recorded.
"""

import os

from tunesmith.games.registry import without_folder
from tunesmith.tuning.report.html import Content, Markup, el, fill, join
from tunesmith.tuning.report.numbers import ABSENT, clip, code, count, counted, percent, significant
from tunesmith.tuning.report.parts import games_of, learnt_pairs, nothing, section, table
from tunesmith.tuning.report.reading import Record, StudyFiles

_MOST_ROWS = 200


def methods(study: StudyFiles) -> Markup:
    """Return the section of methods."""
    how = [_play(study), _fitting(study)] if study.learns else [_openings(study)]
    text = [_game(study), *how, _proof(study), _origin(study)]
    return section(
        "methods",
        "Methods, to copy into a report of your own",
        el("div", [el("p", paragraph) for paragraph in text], class_="methods"),
        _settings(study),
        _versions(study),
    )


def _say(study: StudyFiles, name: str) -> Content:
    """Return a setting, or that it is not recorded."""
    return _or_absent(study.setting(name))


def _game(study: StudyFiles) -> Content:
    rows = study.fit.rows("weights")
    size = fill(
        """ The evaluation is a weighted sum of {features} in {stages}, in Elo for the side to move: the expected
        result of a score s is 1 / (1 + 10^(−s/400)).""",
        features=counted(len({row.text("feature") for row in rows}), "feature"),
        stages=counted(len({row.text("stage") for row in rows}), "stage"),
    )
    return fill(
        """The evaluation of an alpha-beta program for the game {game} was {done} with Tunesmith (study {name}). The
        old weights were {baseline}. {size}""",
        done="tuned by self-play"
        if study.learns
        else "searched by playing"
        if study.searches
        else "tested by playing",
        game=_or_absent(without_folder(study.setting("game") or "") or None),
        name=clip(study.name, 60),
        baseline=code(study.baseline, 80),
        size=size if rows else None,
    )


def _play(study: StudyFiles) -> Content:
    fit = study.fit
    return fill(
        """{begin}; every opening was played twice with sides exchanged (a pair), and openings were split by
        hash so that play and proof never shared one. Each move was searched with the limit {limit}; during the
        first {noise_plies} plies a move was random with chance {noise}. {generations} of self-play gave {last}{games}
        ({pairs}, {distinct}).""",
        begin=_begin(study),
        limit=_say(study, "play.limit"),
        noise_plies=_say(study, "play.noise_plies"),
        noise=_say(study, "play.noise"),
        generations=counted(len(study.fits) or None, "generation"),
        last=f"in {_which(study)}, which alone was learnt from, " if study.learns_from_newest else None,
        games=counted(fit.number("games"), "game"),
        pairs=counted(learnt_pairs(fit), "pair"),
        distinct=counted(fit.number("distinct_games"), "distinct game"),
    )


def _which(study: StudyFiles) -> str:
    """Say which generation the weights were fitted to: not the last if a check dropped its weights."""
    return "the last" if study.fit is study.fits[-1][1] else "one before the last"


def _openings(study: StudyFiles) -> Content:
    """Say how games began, where none was played to learn from."""
    return fill(
        """{begin}; every opening was played twice with sides exchanged (a pair).{searched}""",
        begin=_begin(study),
        searched=join(
            " ", counted(study.search.number("games"), "game"), " were played to find a setting."
        ) if study.searches else None,
    )  # fmt: skip


def _begin(study: StudyFiles) -> Content:
    if study.setting("openings.file") is not None:
        return "Games began as a file of openings says"
    edition = study.setting("openings.edition")
    return fill(
        """Games began with {plies} random plies, kept if a shallow search saw neither side ahead by more than
        {max_score} Elo{edition}""",
        plies=_say(study, "openings.plies"),
        max_score=_say(study, "openings.max_score"),
        edition=None if edition in (None, "1") else f" (edition {edition} of the openings)",
    )


_OWN = {
    "a ridge a group": ", times a factor for each group of weights",
    "heavy tails": ", times a factor for each weight, so that few may go far: heavy tails",
}


def _fitting(study: StudyFiles) -> Content:
    fit = study.fit
    return fill(
        """From each game at most {most} positions were drawn, {rows} in all. The weights minimise the mean {loss}
        between expected and actual results plus a ridge towards the {old} weights (strength {ridge}{own}), as
        far as rounding allows (Texel tuning); labels are {labels}; standard errors are clustered by pair. {held_out}
        of the pairs took no part in the fit and judged it.""",
        most=_say(study, "fit.positions_per_game"),
        rows=counted(fit.number("rows"), "position"),
        loss=_say(study, "fit.loss"),
        old="playing" if study.learns_from_newest else "old",
        ridge=significant(fit.number("ridge")),
        labels=_labels(fit.number("blend")),
        own=_OWN.get(fit.text("ridge_path", "kind") or "", ""),
        held_out=percent(study.settings.number("fit", "held_out"), 0),
    )


def _labels(blend: float | None) -> Content:
    if blend is None or blend == 1:
        return "the results"
    return join(
        significant(blend), " of the result and ", significant(1 - blend), " of what the search expected"
    )


def _proof(study: StudyFiles) -> Content:
    test = study.sequential[0] if study.sequential else Record()
    sprt = test.at("sprt")
    return fill(
        """On openings never used before, the new weights played the old ones in a sequential probability ratio
        test on pairs (generalised SPRT, five outcomes; H0 {elo0}, H1 {elo1}, {model} Elo; α {alpha}, β {beta}
        without its limit of pairs; limit {limit}). The size of the gain was then measured over a fixed number of
        {games}. Intervals are 95 % intervals from the variance of pairs.""",
        elo0=significant(sprt.number("elo0")),
        elo1=significant(sprt.number("elo1")),
        model=_or_absent(sprt.text("model")),
        alpha=significant(sprt.number("alpha")),
        beta=significant(sprt.number("beta")),
        limit=_or_absent(test.text("limit")),
        games=counted(games_of(study.main_run), "game"),
    )


def _origin(study: StudyFiles) -> Content:
    return fill(
        """Everything random followed from the seed {seed}. Digests (SHA-256): old weights {old}, new weights {new};
        fingerprint of the study {fingerprint}. Versions: {versions}.""",
        seed=_say(study, "seed"),
        old=code(study.verdict.text("baseline", "digest"), 80),
        new=code(study.candidate, 80),
        fingerprint=code(study.study.text("fingerprint"), 80),
        versions=_version_text(study),
    )


def _or_absent(text: str | None) -> Content:
    return ABSENT if text is None else clip(text, 80)


def _version_text(study: StudyFiles) -> Content:
    found = [
        f"{clip(name, 30)} {clip(v.text() or '?', 40)}" for name, v in study.study.items("versions")[:30]
    ]
    return ", ".join(found) if found else ABSENT


def _settings(study: StudyFiles) -> Markup:
    records = (study.settings, study.study.at("pinned"))
    leaves = [(name, value) for record in records for name, value in record.leaves() if name][:_MOST_ROWS]
    if not leaves:
        return join(el("h3", "Settings"), nothing("The settings are not recorded."))
    rows: list[list[Content]] = [[code(name), _value(value)] for name, value in leaves]
    body = table([("Setting", False), ("Value", False)], rows, class_="short two")
    return el("details", el("summary", "All settings (", count(len(leaves)), ")"), body)


def _value(value: Record) -> Content:
    here = value.value
    if here is None:
        return ABSENT
    if isinstance(here, bool):
        return "true" if here else "false"
    if isinstance(here, list | dict):
        return clip(", ".join(str(item) for item in here), 200) or "none"
    text = value.text() or "not a number"
    return clip(
        os.path.basename(text) if os.path.isabs(text) else text, 200
    )  # the same page wherever it is made


def _versions(study: StudyFiles) -> Markup:
    found = study.study.items("versions")[:_MOST_ROWS]
    if not found:
        return join(el("h3", "Versions"), nothing("The versions are not recorded."))
    rows: list[list[Content]] = [[code(name), _value(value)] for name, value in found]
    body = table([("Program", False), ("Version", False)], rows, class_="short two")
    return el("details", el("summary", "Versions"), body)
