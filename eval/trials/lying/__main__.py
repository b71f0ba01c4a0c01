"""Serve the liar until interrupted: `python -m eval.trials.lying [--port 8111]`."""

from __future__ import annotations

import argparse
import threading
from contextlib import suppress

from eval.trials.lying.server import MODEL, Liar
from eval.trials.lying.ways import WAYS


def main() -> None:
    """Serve on the loopback interface and say how to ask."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--port", type=int, default=8111)
    arguments = parser.parse_args()
    with Liar().serving(arguments.port) as base_url:
        print(f"base URL: {base_url}\nmodels: {', '.join(MODEL + name for name in WAYS)}")  # noqa: T201
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
