"""Findings held against the published study and against other tools."""
