"""Optuna samplers for settings that are judged by noisy games: SPSA and a local quadratic model after CLOP.

Usable without the rest of Tunesmith: nothing but Optuna, numpy and scipy is imported. A trial's value is its
score (0 to 1, maximised). Better, the trial carries its results as the user attribute `wdl` =
[wins, draws, losses]; then trials may differ in length, and pruned trials count for what they played."""

from .box import WDL
from .clop import CLOPSampler
from .spsa import SPSASampler
from .spsa_gains import Gains, Loss, Schedule, expected_loss, gains_for_precision, schedule

__all__ = [
    "WDL",
    "CLOPSampler",
    "Gains",
    "Loss",
    "SPSASampler",
    "Schedule",
    "expected_loss",
    "gains_for_precision",
    "schedule",
]
