"""Corrections of p-values for many comparisons. Extends the study."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from manybleus.arrays import Floats


@dataclass(frozen=True, slots=True)
class Correction:
    """How p-values are adjusted.

    Attributes
    ----------
    adjust
        Function of p-values, ``(comparisons,)``, that returns the adjusted ones.
    bounds_any
        Whether it bounds the chance of any false finding, so that the smallest p is multiplied by the number of
        comparisons, whatever the others are.
    """

    adjust: Callable[[Floats], Floats]
    bounds_any: bool = False


def _by_statsmodels(p: Floats, method: str) -> Floats:
    from statsmodels.stats.multitest import multipletests

    adjusted: Floats = multipletests(p, method=method)[1]
    return adjusted


CORRECTIONS: Mapping[str, Correction] = {
    "benjamini-hochberg": Correction(partial(_by_statsmodels, method="fdr_bh")),  # Benjamini and Hochberg 1995
    "holm": Correction(partial(_by_statsmodels, method="holm"), bounds_any=True),  # Holm 1979
    "none": Correction(lambda p: p),
}
