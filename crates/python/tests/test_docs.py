"""The documentation: every public name has a doc string, every example in one runs, and the stubs fit the code."""

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import chuhe
import chuhe.arrays
import chuhe.banqi
import pytest

MODULES = [chuhe, chuhe.arrays, chuhe.banqi]


def documented():
    """(name, object) of every public module, class, function and method."""
    for module in MODULES:
        yield module.__name__, module
        for name in module.__all__:
            thing = getattr(module, name)
            yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing):
                for part, value in vars(thing).items():
                    if not part.startswith("_") and not isinstance(value, thing):
                        yield f"{module.__name__}.{name}.{part}", value


def test_every_public_name_is_documented():
    short = {"copy"}
    missing = [
        name
        for name, thing in documented()
        if not inspect.getdoc(thing) and name.rsplit(".", 1)[-1] not in short and not isinstance(thing, (int, str))
    ]
    assert missing == []


@pytest.mark.parametrize(("name", "thing"), [pair for pair in documented() if ">>>" in (inspect.getdoc(pair[1]) or "")])
def test_examples_run(name, thing):
    examples = doctest.DocTestParser().get_doctest(inspect.getdoc(thing), {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    failures = []
    runner.run(examples, out=failures.append)
    assert not failures, "".join(failures)


def test_the_stubs_fit_the_code():
    pytest.importorskip("mypy")
    check = [sys.executable, "-m", "mypy.stubtest", "chuhe", "--ignore-disjoint-bases"]
    done = subprocess.run(check, capture_output=True, text=True, cwd=Path(chuhe.__file__).parent.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_examples_type_check():
    pytest.importorskip("mypy")
    examples = Path(__file__).parent.parent / "examples"
    check = [sys.executable, "-m", "mypy", "--strict", str(examples), str(Path(chuhe.__file__).parent)]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
