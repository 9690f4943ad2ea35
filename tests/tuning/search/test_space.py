"""Search spaces by name: defaults from what a parameter is, the start inside, wrong names with the nearest right one."""

from dataclasses import replace

import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from tests.support.made_up import GAME, HAND
from tunesmith.engine import weights as weight_files
from tunesmith.games import registry
from tunesmith.games.errors import InputError
from tunesmith.tuning.config import Range, Search
from tunesmith.tuning.documents.fit import Change, DataAlone, Direction, GamesFit, WeightRow
from tunesmith.tuning.search.space import build_space

FITTED = weight_files.from_array(GAME, HAND.array(GAME) * HAND.scale)
FACTS = GamesFit.model_construct(  # what a search asks of a fit
    weights=[
        WeightRow.model_construct(
            stage=stage,
            feature=feature,
            size=1.0,
            data=DataAlone(weight=0.0, error=2.0),
            error=1.0 if feature != "tempo" else None,
        )
        for stage in GAME.stage_names
        for feature in GAME.feature_names
    ],
    directions=[
        Direction(
            elo=1.0,
            weights=[
                Change(stage="opening", feature="bank", change=3.0),
                Change(stage="ending", feature="bank", change=-1.0),
            ],
        )
    ],
)


def made(base=HAND, facts=None, search=None, **ranges):
    return build_space(GAME, base, Search(space=ranges, **(search or {})), facts)


def test_defaults_follow_from_what_a_parameter_is():
    """Switches have two values, words their words, the scale a factor of two, weights errors of the fit."""
    found = made(
        FITTED,
        FACTS,
        {"sampler": "tpe"},
        pvs=Range(),
        objective=Range(),
        scale=Range(),
        mobility=Range(),
        aspiration=Range(low=0, high=90, step=30),
    )
    value = FITTED.values["opening"]["mobility"]
    assert found.distributions() == {
        "pvs": CategoricalDistribution((False, True)),
        "objective": CategoricalDistribution(("result", "margin")),
        "scale": FloatDistribution(0.5, 2.0, log=True),
        "opening.mobility": FloatDistribution(value - 6, value + 6),
        "ending.mobility": FloatDistribution(
            FITTED.values["ending"]["mobility"] - 6, FITTED.values["ending"]["mobility"] + 6
        ),
        "aspiration": IntDistribution(0, 90, step=30),
    }


@pytest.mark.parametrize(
    ("data", "size", "half"),
    [
        (DataAlone(weight=0.0, error=7.0), 4.0, 21.0),
        (DataAlone(weight=0.0, error=70.0), 4.0, 75.0),  # 100 Elo of usual effect an error, and no more
        (None, 4.0, 75.0),  # the data say nothing
        (DataAlone(weight=0.0, error=7.0), 0.5, 21.0),
    ],
)
def test_the_range_of_a_weight_is_as_wide_as_the_data_leave_it(data, size, half):
    """Not as narrow as the prior, whatever the ridge."""
    row = FACTS.weights[0].model_copy(update={"data": data, "size": size, "error": 0.5})
    name = f"{row.stage}.{row.feature}"
    found = made(FITTED, FACTS.model_copy(update={"weights": [row]}), **{name: Range()}).parameters[0]
    assert (found.high - found.start, found.start - found.low) == pytest.approx((half, half))


def test_the_start_is_the_base_itself():
    found = made(FITTED, FACTS, pvs=Range(), scale=Range(), mobility=Range())
    assert found.apply(found.start).digest == FITTED.digest


def test_settings_change_what_they_name_and_nothing_else():
    found = made(pvs=Range(), scale=Range(), **{"ending.bank": Range(low=-50, high=100)})
    other = found.apply({"pvs": False, "scale": 1.5, "ending.bank": 7.25})
    assert other.options == {**HAND.options, "pvs": False}
    assert other.scale == 1.5 * HAND.scale
    expected = {stage: dict(row) for stage, row in HAND.values.items()}
    expected["ending"]["bank"] = 7.25
    assert other.values == expected
    assert other.proof == []


def test_samplers_of_numbers_see_switches_as_nought_and_one():
    found = made(pvs=Range(), replacement=Range(), search={"sampler": "clop"})
    assert found.distributions()["pvs"] == IntDistribution(0, 1)
    assert isinstance(
        found.distributions()["replacement"], CategoricalDistribution
    )  # three words have no order
    assert found.setting({"pvs": 0, "replacement": "lru"}) == {"pvs": False, "replacement": "lru"}
    assert found.setting(found.params(found.start)) == found.start


def test_a_pilot_tries_both_ends_and_the_middle():
    found = made(aspiration=Range(low=0, high=200, step=50), pvs=Range(), scale=Range())
    assert [parameter.probes() for parameter in found.parameters] == [(100, 200), (False,), (0.5, 2.0)]


def test_a_bound_that_cannot_be_passed_is_none():
    aspiration, scale = made(aspiration=Range(low=0, high=200), scale=Range()).parameters
    assert not aspiration.is_at_bound(0)
    assert aspiration.is_at_bound(195)
    assert scale.is_at_bound(0.5)
    assert not scale.is_at_bound(1.0)


def test_a_direction_of_the_fit_moves_several_weights_at_once():
    found = made(FITTED, FACTS, search={"directions": 1, "errors": 2.5})
    assert found.distributions() == {"direction-1": FloatDistribution(-2.5, 2.5)}
    moved = found.apply({"direction-1": 2.0}).values
    assert moved["opening"]["bank"] == pytest.approx(FITTED.values["opening"]["bank"] + 6)
    assert moved["ending"]["bank"] == pytest.approx(FITTED.values["ending"]["bank"] - 2)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"aspirations": Range(low=0, high=9)}, "did you mean 'aspiration'"),
        ({"endgame.bank": Range(low=0, high=9)}, "did you mean 'ending.bank'"),
        ({"aspiration": Range()}, r"aspiration: low and high: missing"),
        ({"mobility": Range()}, r"no standard error"),
        ({"aspiration": Range(low=10, high=90)}, r"the start 0 has to lie within 10 \.\. 90"),
        ({"aspiration": Range(low=9, high=9)}, "expected low < high"),
        ({"aspiration": Range(low=0, high=95, step=10)}, "the high 95 is no whole number of steps"),
        ({"aspiration": Range(low=0, high=9.5)}, "expected whole numbers"),
        (
            {"aspiration": Range(low=-10, high=10)},
            "aspiration: expected a whole number of 0 or more, found -10",
        ),
        ({"aspiration": Range(low=0, high=9, log=True)}, "has to be positive"),
        ({"pvs": Range(low=0, high=1)}, "low, high and step mean nothing"),
        ({"objective": Range(choices=["margin", "reslut"])}, "the start 'result' is not among the choices"),
        ({"objective": Range(choices=["result", "marginal"])}, "found 'marginal'"),
        ({"scale": Range(choices=[1.0, 2.0])}, "expected low and high, found choices"),
        ({}, "nothing to tune"),
        (
            {"ending.bank": Range(low=-99, high=99), "bank": Range(low=-99, high=99)},
            "named twice: ending.bank",
        ),
    ],
)
def test_wrong_spaces_are_refused_before_the_first_game(ranges, message):
    with pytest.raises(InputError, match=message):
        made(**ranges)


def test_directions_need_a_fit_that_knows_them():
    with pytest.raises(InputError, match=r"search\.directions: the fit knows 0, found 2"):
        made(search={"directions": 2})


def test_a_game_with_one_stage_names_its_weights_by_feature_alone():
    pentago = registry.load("ropasci360")
    hand = weight_files.load("hand", pentago)
    feature = pentago.feature_names[0]
    value = hand.values[pentago.stage_names[0]][feature]
    found = build_space(pentago, hand, Search(space={feature: Range(low=value - 1, high=value + 1)}), None)
    names = list(found.start)
    assert names == (
        [feature] if len(pentago.stage_names) == 1 else [f"{s}.{feature}" for s in pentago.stage_names]
    )


def test_options_of_the_base_are_the_start():
    base = replace(HAND, options={"aspiration": 40})
    assert made(base, aspiration=Range(low=0, high=200, step=10)).start == {"aspiration": 40}
