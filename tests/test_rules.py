"""Every rule tells a cluster what it needs, and profiles name what there is."""

import re

import pytest
import yaml
from helpers import ROOT

RULES = {
    name: body
    for path in sorted((ROOT / "workflow/rules").glob("*.smk"))
    for name, body in re.findall(
        r"^rule (\w+):\n(.*?)(?=^\S|\Z)", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
}
# They only ask for files.
COLLECT = {"replications", "notebooks"}


def test_rules_are_found():
    assert {"scenes", "grid", "report", "sums"} <= RULES.keys()


@pytest.mark.parametrize("name", [name for name in RULES if name not in COLLECT])
def test_a_rule_declares_threads_memory_and_run_time(name):
    assert re.search(r"^    threads: \d+$", RULES[name], re.MULTILINE)
    assert re.search(r"^        mem_mb=\d+,$", RULES[name], re.MULTILINE)
    assert re.search(r"^        runtime=\d+,$", RULES[name], re.MULTILINE)


@pytest.mark.parametrize("name", ["default", "slurm"])
def test_a_profile_makes_unfinished_files_anew_and_shows_logs(name):
    profile = yaml.safe_load((ROOT / "profiles" / name / "profile.yaml").read_text(encoding="utf-8"))
    assert profile["rerun-incomplete"] is True
    assert profile["show-failed-logs"] is True


def test_the_profile_for_slurm_sends_a_lost_job_again():
    profile = yaml.safe_load((ROOT / "profiles/slurm/profile.yaml").read_text(encoding="utf-8"))
    assert (profile["executor"], profile["retries"]) == ("slurm", 2)
