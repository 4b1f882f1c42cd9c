"""Many campaigns on two processes: `manage.py simulate` run as a person runs it."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def simulate(scenario: str, campaigns: int, workers: int) -> tuple[float, int]:
    """Return seconds, and the largest resident memory of one process in megabytes."""
    command = [sys.executable, "manage.py", "simulate", scenario]
    command += ["--campaigns", str(campaigns), "--seed", "1", "--workers", str(workers)]
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    largest = 0
    while process.poll() is None:
        largest = max([largest, *(_resident(pid) for pid in _family(process.pid))])
        time.sleep(0.2)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return time.perf_counter() - start, largest


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    found = children.read_text().split() if children.exists() else []
    return [pid, *(int(child) for child in found)]


def _resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status")
    try:
        line = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
    except OSError:
        return 0
    return int(line[1]) // 1024 if line else 0


def cores() -> int:
    """Processors this machine lets us use."""
    return len(os.sched_getaffinity(0))
