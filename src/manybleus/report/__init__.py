"""The HTML report, made from result files alone."""
