"""What more games would bring, and what a weighted sum does not say: facts of a fit.

Losses in nats a position."""

from tunesmith.tuning.documents.document import Document, Finite


class CurvePart(Document):
    """Held-out loss of weights that were fitted on some of the pairs; error of its distance to the last part."""

    pairs: int
    loss: float
    error: Finite = None


class Curve(Document):
    """Parts, smallest first; `doubling`: fall of the loss that twice the pairs would bring, and its error."""

    parts: list[CurvePart]
    doubling: Finite
    error: Finite


class Boosted(Document):
    """Held-out losses of the weighted sum, of bent single features and of boosted trees; `fall`: what trees gain."""

    linear: Finite
    additive: Finite
    boosted: Finite
    fall: Finite
    error: Finite
    rows: int


class Product(Document):
    """How far the product of two features would lower the loss, and how many errors its slope is from zero."""

    first: str
    second: str
    fall: float
    z: float


class Bend(Document):
    """Where a feature's worth changes, in Elo of one more of it, by `chance` if nothing bent; see `fit.shape.Bend`.

    odd: and so on the negative side. fall: of the held-out loss, and its standard error.
    """

    feature: str
    knot: float
    odd: bool
    before: float
    after: float
    chance: float
    fall: Finite
    error: Finite
