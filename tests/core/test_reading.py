"""Types that several threads read into for the first time at once: msgspec alone dies of it."""

import subprocess
import sys

import pytest

TOGETHER = """
import sys, threading
import msgspec
from {module} import {name}

sys.setswitchinterval(1e-6)
parts = {{f"part{{n}}": {{f"field{{m}}": m for m in range(30)}} for n in range(20)}}


def use(kind, told, ready):
    ready.wait()
    {use}


for number in range(60):
    part = msgspec.defstruct(f"Part{{number}}", [(f"field{{n}}", int) for n in range(30)])
    whole = msgspec.defstruct(f"Whole{{number}}", [(f"part{{n}}", part) for n in range(20)])
    ready = threading.Barrier(6)
    threads = [
        threading.Thread(target=use, args=(kind, told, ready))
        for kind, told in [(whole, parts), (part, parts["part0"]), (list[whole], [parts])] * 2
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
"""
WAYS = {
    "shaped": ("battles.core.decoding", "convert_to", "convert_to(told, kind)"),
    "read": (
        "battles.core.decoding",
        "decoder_for",
        "decoder_for(kind).decode(msgspec.json.encode(told))",
    ),
}


@pytest.mark.parametrize(("module", "name", "use"), WAYS.values(), ids=WAYS)
def test_a_type_may_be_read_into_by_many_threads_at_once_from_the_first(
    module: str, name: str, use: str
) -> None:
    program = TOGETHER.format(module=module, name=name, use=use)
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
