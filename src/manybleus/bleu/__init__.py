"""BLEU and every choice that it leaves open: text in, scores out."""
