"""`simulate` and `fight --battles`: progress without a terminal, an early end, a resumption."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.patience import ended, wait_until, wait_until_gone
from tests.test_project import ROOT

FIGHT = ("fight", "battles/briefs/kirbekan.toml", "--battles")
MANY = "100000"


@contextmanager
def begun(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A command that runs without a terminal; what it says goes into two files."""
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        process = subprocess.Popen(
            # A shell's background job ignores SIGINT, and so would what it starts.
            ["env", "--default-signal=INT", sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "sirdar.settings"},
            stdout=out,
            stderr=err,
            text=True,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def children(process: subprocess.Popen[str]) -> list[int]:
    told = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(number) for number in told.split()]


def test_a_simulation_that_is_terminated_keeps_what_is_finished(tmp_path: Path) -> None:
    words = ("simulate", "relief-of-el-obeid", "--campaigns", "1000", "--workers", "2")
    with begun(tmp_path, *words) as process:
        said = tmp_path / "err"
        wait_until(
            lambda: (
                process.poll() is not None or "1 of 1000 campaigns finished" in said.read_text()
            ),
            "the first finished campaign",
            said.read_text,
        )
        workers = children(process)
        process.send_signal(signal.SIGTERM)
        code, _, _ = ended(process, "the end of a simulation that was terminated")
    for worker in workers:
        wait_until_gone(worker, "the end of a worker whose simulation was terminated")
    *lines, note = said.read_text().splitlines()
    assert code == 130
    assert all(
        re.match(r"\d+ of 1000 campaigns finished: \d+ months, won by", one) for one in lines
    )
    told = re.search(r"Stopped: (\d+) of 1000 campaigns were finished", note)
    assert told is not None
    assert int(told[1]) >= len(lines) >= 1
    out = (tmp_path / "out").read_text()
    assert f"{told[1]} campaigns, seed 1" in out
    assert "How they ended" in out


def test_the_workers_of_a_run_that_was_killed_end_with_it(tmp_path: Path) -> None:
    with begun(tmp_path, *FIGHT, MANY, "--workers", "2") as process:
        wait_until(
            lambda: process.poll() is not None or len(children(process)) > 2,
            "two workers",
            (tmp_path / "err").read_text,
        )
        workers = children(process)
        process.kill()
        process.wait()
    try:
        for worker in workers:
            wait_until_gone(worker, "the end of a worker whose run was killed")
    finally:
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_battles_that_are_interrupted_are_resumed_as_if_they_had_not_been(
    workers: str, tmp_path: Path
) -> None:
    file, words = tmp_path / "battles.jsonl", ("--seed", "4", "--workers", workers)
    with begun(tmp_path, *FIGHT, MANY, *words, "--resume", str(file)) as process:
        wait_until(
            lambda: (
                process.poll() is not None
                or (file.exists() and len(file.read_text().splitlines()) > 3)
            ),
            "three battles in the file",
            (tmp_path / "err").read_text,
        )
        process.send_signal(signal.SIGINT)
        code, _, _ = ended(process, "the end of battles that were interrupted")
    assert code == 130, (tmp_path / "err").read_text()
    kept = len(file.read_text().splitlines()) - 1
    assert f"of {MANY} battles were finished" in (tmp_path / "err").read_text()
    wanted, resumed, unbroken = str(kept + 2), tmp_path / "resumed", tmp_path / "unbroken"
    call_command(*FIGHT, wanted, *words, "--resume", str(file), "--json", str(resumed))
    call_command(*FIGHT, wanted, *words, "--json", str(unbroken))
    assert json.loads(resumed.read_text()) == json.loads(unbroken.read_text())
    assert len(file.read_text().splitlines()) == kept + 3


def test_a_line_that_was_being_written_when_the_run_was_killed_is_played_again(
    tmp_path: Path,
) -> None:
    file = tmp_path / "battles.jsonl"
    call_command(*FIGHT, "3", "--resume", str(file))
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    call_command(*FIGHT, "3", "--resume", str(file))
    assert file.read_bytes() == whole


def test_a_file_of_another_run_or_of_something_else_is_refused_and_left_alone(
    tmp_path: Path,
) -> None:
    file = tmp_path / "battles.jsonl"
    call_command(*FIGHT, "2", "--resume", str(file))
    whole = file.read_text()
    with pytest.raises(CommandError, match="begun on other terms"):
        call_command(*FIGHT, "2", "--seed", "2", "--resume", str(file))
    assert file.read_text() == whole
    file.write_text(f"{whole}Dear diary\n")
    with pytest.raises(CommandError, match=r"battles\.jsonl:4 is no line of a run"):
        call_command(*FIGHT, "5", "--resume", str(file))
    with pytest.raises(CommandError, match="cannot be used"):
        call_command(*FIGHT, "2", "--resume", str(tmp_path))


@pytest.mark.parametrize(
    "content", ["Dear diary", "Dear diary,\nit rains", '{"seed":1}', "[\n1\n]"]
)
def test_a_file_of_something_else_that_ends_without_a_line_is_left_alone(
    content: str, tmp_path: Path
) -> None:
    file = tmp_path / "battles.jsonl"
    file.write_text(content)
    with pytest.raises(CommandError, match=r"no line of a run|begun on other terms"):
        call_command(*FIGHT, "2", "--resume", str(file))
    assert file.read_text() == content


def test_a_file_that_another_run_is_writing_is_refused(tmp_path: Path) -> None:
    file, words = tmp_path / "battles.jsonl", ("--seed", "4", "--resume")
    with begun(tmp_path, *FIGHT, MANY, *words, str(file)) as process:
        wait_until(
            lambda: (
                process.poll() is not None or (file.exists() and file.read_text().count("\n") > 1)
            ),
            "a battle in the file",
            (tmp_path / "err").read_text,
        )
        with pytest.raises(CommandError, match="is in use by another run"):
            call_command(*FIGHT, "2", *words, str(file))
        process.kill()
        process.wait()
    call_command(*FIGHT, "2", *words, str(file))


def test_a_first_line_that_was_being_written_is_written_again(tmp_path: Path) -> None:
    file = tmp_path / "battles.jsonl"
    call_command(*FIGHT, "2", "--resume", str(file))
    whole = file.read_bytes()
    file.write_bytes(whole[:9])
    call_command(*FIGHT, "2", "--resume", str(file))
    assert file.read_bytes() == whole


@pytest.mark.parametrize("path", ["", "nowhere/battles.json"])
def test_results_that_cannot_be_written_are_refused_before_the_run(
    path: str, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="cannot be written: it is a folder, or in none"):
        call_command(*FIGHT, MANY, "--json", str(tmp_path / path))
