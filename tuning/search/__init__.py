"""Which setting wins matches? Optuna by ask and tell.

- `controllers`: What do processes that share a search in a database know of each other?
- `loop`: Search by playing: ask a sampler for a setting, let it play pairs, tell what came out, until all
  trials are done
- `matches`: Plays settings of a search: pairs on a trial's own openings against pinned opponents, each pair at most
  once
- `noise`: How sure are the scores of a search's settings, and how far do they share their luck?
- `outcome`: What did a setting score against its opponents?
- `pilot`: Does a parameter do anything?
- `recommend`: Which setting do all trials together speak for, and how sure is that?
- `runner`: Where several settings of a search play at once, so that no worker waits for the end of a trial
- `watched_sampler`: Who asks for settings: the sampler that a study names, under the eye of a witness
- `space`: What may be tuned by playing: search options, the scale, single weights, and the fit's principal
  directions
- `standings`: How settings stand in a search: every finished trial is read once, so long searches stay quick
- `storage`: Where a search keeps its trials: a journal file by default, or any Optuna storage by its address
- `trial_log`: The plain log of a search: a line for each trial that has ended, made anew from the storage where it
  says less
- `samplers/`: Optuna samplers for settings that are judged by noisy games: SPSA and a local quadratic model
  after CLOP

To add a sampler, see `samplers/`; to add a kind of parameter, edit `space`."""

from typing import TYPE_CHECKING

from tunesmith.games.lazy import offered

if TYPE_CHECKING:
    from tunesmith.tuning.search.loop import SearchLoop
    from tunesmith.tuning.search.outcome import Outcome
    from tunesmith.tuning.search.runner import Runner
    from tunesmith.tuning.search.samplers.clop import CLOPSampler
    from tunesmith.tuning.search.samplers.spsa import SPSASampler
    from tunesmith.tuning.search.space import Space, build_space

__all__ = ["CLOPSampler", "Outcome", "Runner", "SPSASampler", "SearchLoop", "Space", "build_space"]
__getattr__, __dir__ = offered(__name__, __file__)
