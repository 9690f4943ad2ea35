"""The choice among generations beside the rules it replaced: what each would take of the same checks."""

import pytest

from tunesmith.experiments.proofs import generations


def path(*scores: float) -> list[dict[str, object]]:
    return [
        {"made": f"gen-{at}", "check": {"estimate": {"score": score}}} for at, score in enumerate(scores, 1)
    ]


def test_the_old_rule_takes_the_last_that_scored_more_than_half() -> None:
    assert generations.by_half(path(0.6, 0.49, 0.4)) == "gen-1"
    assert generations.by_half(path(0.6, 0.49, 0.51)) == "gen-3"
    assert generations.by_half(path(0.4, 0.5)) == "gen-2"  # none: the last, for the proof to judge


def test_a_choice_that_is_worse_by_more_than_chance_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gains = iter([30.0, 20.0, 25.0, 31.0, 18.0, 25.0])

    def made_up(*_: object) -> dict[str, float]:
        chosen, half, last = (next(gains) for _ in range(3))
        return {"chosen": chosen, "half": half, "last": last}

    monkeypatch.setattr(generations, "study", made_up)
    assert generations.main(["--seeds", "2"]) == 0
    assert "chosen less half: +11.5" in capsys.readouterr().out
    gains = iter([20.0, 30.0, 25.0, 18.0, 31.0, 25.0])
    assert generations.main(["--seeds", "2"]) == 1
