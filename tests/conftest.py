"""What the whole suite shares: the packaged encoder, exported once and kept between runs."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
import uvicorn
from starlette.types import ASGIApp

from index.encoder import Encoder, EncoderSettings, open_encoder
from index.ingest.build import build
from index.paths import starter_folder
from index.settings import IndexSettings
from rag.engine import Engine

SHARED_DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real pages, papers and explainers that may lie beside the project; skips where they do not."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real data does not lie beside the project, in ../shared/data")
    return SHARED_DATA


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests walked the real data, or would have."""
    reports = terminalreporter.stats
    walked = sum("real_data" in report.keywords for report in reports.get("passed", []))
    skipped = sum("in ../shared/data" in str(report.longrepr) for report in reports.get("skipped", []))
    terminalreporter.write_line(f"real data in ../shared/data: walked by {walked} tests, {skipped} skipped")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "shared_data" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.real_data)


@pytest.fixture(scope="session")
def encoder_cache(request: pytest.FixtureRequest) -> Path:
    """A folder for exported graphs that outlives the run: an export takes some 15 s."""
    cache = request.config.cache
    assert cache is not None
    return Path(cache.mkdir("encoder"))


@pytest.fixture(scope="session")
def encoder(encoder_cache: Path) -> Encoder:
    """The packaged int8 encoder, as it is served."""
    return open_encoder(EncoderSettings(), encoder_cache)


@pytest.fixture(scope="session")
def starter_settings(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> IndexSettings:
    """A data folder into which the starter set has been ingested."""
    settings = IndexSettings(data_dir=tmp_path_factory.mktemp("starter") / "data")
    report = build([starter_folder()], settings, encoder=encoder)
    assert not report.quarantined
    return settings


@pytest.fixture(scope="session")
def engine(encoder: Encoder, starter_settings: IndexSettings) -> Iterator[Engine]:
    """An engine over the starter set: the topic "Reinforcement Learning", alias "RL"."""
    with Engine(starter_settings, encoder=encoder) as engine:
        yield engine


@pytest.fixture(scope="session")
def serve() -> Callable[[ASGIApp], AbstractContextManager[str]]:
    """Serve an application on the loopback interface while a `with` block lasts; gives its base URL."""

    @contextmanager
    def run(app: ASGIApp) -> Iterator[str]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            # A listening socket queues connections, so nobody has to wait for the server to be up.
            config = uvicorn.Config(app, lifespan="off", log_level="critical", timeout_graceful_shutdown=1)
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            try:
                host, port = listener.getsockname()
                yield f"http://{host}:{port}"
            finally:
                server.should_exit = True
                thread.join()

    return run
