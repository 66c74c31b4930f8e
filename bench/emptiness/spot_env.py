"""Makes sure that Spot is there: in a virtual environment beside this file, from the PyPI package `spottl`."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(HERE, ".venv")
PACKAGE = "spottl==2.13.0.1"


def ensure():
    """Returns the module `spot`; starts the program again inside the environment if need be."""
    try:
        import spot

        return spot
    except ImportError:
        pass
    python = os.path.join(VENV, "bin", "python")
    if os.path.abspath(sys.prefix) == VENV:
        sys.exit("error: spot cannot be imported although the environment is there: remove " + VENV)
    if not os.path.exists(python) or subprocess.run([python, "-c", "import spot"], capture_output=True).returncode:
        print(f"installing {PACKAGE} into {os.path.relpath(VENV)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PACKAGE], check=True)
    os.execv(python, [python, *sys.argv])


def riata(path):
    """The path of the program; built with optimisation if none is given."""
    if path:
        return os.path.abspath(path)
    root = os.path.dirname(os.path.dirname(HERE))
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "-p", "riata-cli"], cwd=root, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target"))
    return os.path.join(target, "release", "riata")
