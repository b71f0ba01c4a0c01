"""The liar as a server on the loopback interface."""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from eval.trials.lying.exchange import Exchange
from eval.trials.lying.script import asked_of
from eval.trials.lying.structured import as_object
from eval.trials.lying.ways import WAYS

MODEL = "liar:"
"""What the name of a model begins with; the way of lying follows."""
STRUCTURED = "+json"
"""What the name ends with where the liar keeps to a schema that it is asked to keep to."""


class Liar:
    """A server of OpenAI's protocol for which the name of the model is a way of lying.

        liar = Liar()
        with liar.serving() as base_url:
            ...  # ask model "liar:changed-number" at base_url
        liar.exchanges[-1].script.lies

    `pace` is the pause between two characters of a slow reply, `patience` how long a silent one lasts, both
    in seconds. Asked by several clients at once, it answers all; `exchanges` are in order of arrival.
    """

    def __init__(self, *, pace: float = 0.2, patience: float = 60.0) -> None:
        self.exchanges: list[Exchange] = []
        self._attempts: Counter[str] = Counter()
        self._pace, self._patience = pace, patience

    def app(self) -> Starlette:
        """Return the application: `/v1/models` and `/v1/chat/completions`."""
        routes = [
            Route("/v1/models", self._models),
            Route("/v1/chat/completions", self._complete, methods=["POST"]),
        ]
        app = Starlette(routes=routes)
        app.state.pace, app.state.patience = self._pace, self._patience
        return app

    @contextmanager
    def serving(self, port: int = 0) -> Iterator[str]:
        """Serve while a `with` block lasts; gives the base URL that a client is told."""
        import uvicorn

        with socket.create_server(("127.0.0.1", port)) as listener:
            # A listening socket queues connections, so nobody has to wait for the server to be up.
            config = uvicorn.Config(
                self.app(), lifespan="off", log_level="critical", timeout_graceful_shutdown=1
            )
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            try:
                host, bound = listener.getsockname()
                yield f"http://{host}:{bound}/v1"
            finally:
                server.should_exit = True
                thread.join()

    def since(self, number: int) -> Sequence[Exchange]:
        """Return the exchanges behind the first `number`."""
        return self.exchanges[number:]

    async def _models(self, _: Request) -> Response:
        models = [{"id": f"{MODEL}{name}", "object": "model", "owned_by": "liar"} for name in WAYS]
        return JSONResponse({"object": "list", "data": models})

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        model = str(body.get("model", ""))
        way = WAYS.get(model.removeprefix(MODEL).removesuffix(STRUCTURED))
        if way is None:
            error = {"message": f"no way of lying is called {model}", "code": "model_not_found"}
            return JSONResponse({"error": error}, 404)
        asked = asked_of(body.get("messages", ()))
        same = json.dumps([model, body.get("messages")])
        self._attempts[same] += 1
        script = way.write(asked)
        if model.endswith(STRUCTURED) and (schema := body.get("response_format")):
            script = replace(script, text=as_object(script.text, schema))
        exchange = Exchange(model, asked, script, body, self._attempts[same])
        self.exchanges.append(exchange)
        return await way.deliver(exchange, request)
