"""Scores in, findings out: rankings, ties, flips and tables."""
