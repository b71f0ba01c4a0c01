"""The `asktopic` command."""

from api.cli.commands import app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line."""
    app()
