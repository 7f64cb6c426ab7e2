"""What tools/benchmarks and tools/papers share: the program, and what a figure depends on besides it."""

import functools
import os
import pathlib
import platform
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("CHUHE", str(ROOT / "target/release/chuhe"))
CORES = os.cpu_count() or 1


def run(*arguments) -> str:
    """What the program prints."""
    return printed(PROGRAM, *arguments)


def printed(*command) -> str:
    """What a command prints, run at the root of the repository."""
    return subprocess.run([*map(str, command)], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


@functools.cache
def commit() -> str:
    """The commit that the program was built from: as the environment says, as the program says, else what is checked out."""
    if given := os.environ.get("CHUHE_COMMIT"):
        return given[:10]
    verbose = subprocess.run([PROGRAM, "--version", "--verbose"], capture_output=True, text=True).stdout
    recorded = re.search(r"^commit +([0-9a-f]+)$", verbose, re.MULTILINE)
    if recorded:
        return recorded[1]
    return subprocess.check_output(["git", "rev-parse", "--short=10", "HEAD"], cwd=ROOT, text=True).strip()


def machine() -> str:
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text()) if os.path.exists("/proc/cpuinfo") else None
    return f"{model[1] if model else platform.processor()}, {CORES} threads, {platform.system()}"


def busy_cores() -> float:
    """How many cores other programs keep busy. The load average would still count the row before."""

    def times() -> tuple[int, int]:
        with open("/proc/stat", encoding="ascii") as stat:
            fields = [int(word) for word in stat.readline().split()[1:9]]
        return sum(fields), fields[3] + fields[4]

    try:
        before = times()
        time.sleep(2)
        after = times()
    except OSError:
        return os.getloadavg()[0]
    total, idle = after[0] - before[0], after[1] - before[1]
    return (1 - idle / max(total, 1)) * CORES


def is_busy(load: float, cores: int = CORES) -> bool:
    return load > 0.5 * cores
