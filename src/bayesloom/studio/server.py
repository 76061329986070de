"""The server of the studio: a socket, a token, and the application behind them."""

from __future__ import annotations

import logging
import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from bayesloom.errors import FileFormatError, MissingExtraError, OptionError
from bayesloom.studio.project import Project, default_project_path

_TOKEN_BYTES = 24


def serve(
    data: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    project: str | None = None,
    ready: Callable[[str], object] = lambda _: None,
) -> None:
    """Serve a project until the process is told to end.

    Parameters
    ----------
    data : path, optional
        A file to put into the project first.
    host, port : str, int
        Where to listen; port 0 takes one that is free.
    project : path, optional
        The file of the project; by default one in the user's folder for data.
    ready : callable
        Called with the address, which holds the token, when the studio answers.

    Raises
    ------
    MissingExtraError
        If starlette and uvicorn are not installed.
    FileFormatError, OptionError
        If the data or the project cannot be read, or nobody can listen there.
    """
    try:
        import uvicorn

        from bayesloom.studio.app import application
    except ImportError as error:
        msg = f"the studio needs {error.name}; install it with: pip install 'bayesloom[web]'"
        raise MissingExtraError(msg) from None
    chosen = project or default_project_path()
    with (
        _opened(data, chosen) as file,
        _listening(host, port) as listening,
        closing(Project(chosen)) as kept,
    ):
        page = "" if file is None else f"#/data/{kept.add_data(Path(file.name).name, file)}"
        port = listening.getsockname()[1]
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        app = application(kept, token, port=port, host=host)
        name = "127.0.0.1" if host in ("0.0.0.0", "") else host  # noqa: S104 - compared, not bound
        shown = f"[{name}]" if ":" in name else name
        # Ctrl-C while a page asks something is no error to tell.
        level = "error" if os.environ.get("BAYESLOOM_DEBUG") else "critical"
        logging.getLogger("asyncio").setLevel(level.upper())
        settings = uvicorn.Config(
            app, log_level=level, server_header=False, timeout_graceful_shutdown=1
        )
        ready(f"http://{shown}:{port}/?token={token}{page}")
        uvicorn.Server(settings).run([listening])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Without the protocol asyncio does not switch off delays (Nagle), 40 ms for every answer.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(128)
    except OSError as error:
        found.close()
        msg = f"nobody can listen on {host} port {port} ({error.strerror}); choose another --port"
        raise OptionError(msg) from None
    return found


@contextmanager
def _opened(data: str | None, project: str | os.PathLike[str]) -> Iterator[BinaryIO | None]:
    if data is None:
        yield None
        return
    try:
        file = Path(data).open("rb")  # noqa: SIM115 - errors of the server are not the file's
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror}); check the name"
        raise FileFormatError(problem, data) from None
    with file:
        if Path(project).exists() and Path(data).samefile(project):
            problem = "this is the project itself, not a table; name another file"
            raise FileFormatError(problem, data)
        yield file
