"""Who may talk to the studio: the person who started it, from its own page, and nobody else."""

from __future__ import annotations

import ipaddress
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load and do: what comes from the studio itself, nothing written inside."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD")
_STRANGER = (
    "This page belongs to whoever started the studio. Open the address that bayesloom studio "
    "printed when it was started.\n"
)


class Guard:
    """Middleware that lets in only requests for this host, from this origin, with the token.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    token : str
        The secret of the address; the first visit changes it into a cookie.
    port : int
        Where the studio listens.
    host : str
        The name or address it was told to listen on.
    """

    def __init__(self, app: ASGIApp, token: str, port: int, host: str) -> None:
        self.app, self.token, self.port, self.host = app, token, port, host
        # Cookies do not know ports; two studios on one machine must not take each other's.
        self.cookie = f"bayesloom-studio-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = scope["method"] in _SAFE and self._has_token(scope)
        refused = self._refusal(scope, Headers(scope=scope), given=given)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                if given and refused is None:
                    value = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
                    headers.append("Set-Cookie", value)
            await send(message)

        await (refused or self.app)(scope, receive, with_headers)

    def _refusal(self, scope: Scope, headers: Headers, *, given: bool) -> Response | None:
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self.knows(host):
            return PlainTextResponse("This host is not the studio's.\n", 421)
        origin = headers.get("origin")
        own = origin is not None and origin.lower() == f"http://{host}".lower()
        foreign = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
        if scope["method"] not in _SAFE and (not own or foreign):
            return PlainTextResponse("Only the studio's own page may change things.\n", 403)
        if origin is not None and not own:
            return PlainTextResponse("Only the studio's own page may ask this.\n", 403)
        if not given and not self._has_cookie(headers):
            return PlainTextResponse(_STRANGER, 403)
        return None

    def knows(self, host: str) -> bool:
        """Say whether a request may call this host so; a name of somebody else's may not.

        A page elsewhere can make its own name point to this machine (DNS rebinding), but it cannot
        make it a number or one of the names of this machine.
        """
        name, colon, port = host.rpartition(":")
        if not colon or port != str(self.port):
            return False
        name = name.strip("[]").lower()
        if name in ("localhost", self.host.lower()):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not is_loopback(self.host)

    def _has_token(self, scope: Scope) -> bool:
        query = scope.get("query_string", b"").decode("latin-1")
        found = parse_qs(query).get("token", [""])[0]
        return self._is_token(found)

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return found is not None and self._is_token(found.value)

    def _is_token(self, found: str) -> bool:
        return secrets.compare_digest(found.encode(), self.token.encode())


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach a host.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
