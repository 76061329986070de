"""Who is let in: one token, one host, one origin."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bayesloom.studio.guard import Guard

TOKEN = "a-token-that-nobody-guesses"
HOME = "http://127.0.0.1:8765"


async def answer(_: Request) -> Response:
    return PlainTextResponse("inside")


INSIDE = Starlette(routes=[Route("/", answer, methods=["GET", "POST", "DELETE"])])


def ask(
    method: str = "GET", path: str = "/", host: str = "127.0.0.1", **headers: str
) -> httpx.Response:
    """Ask a guarded application; headers are written with underscores."""
    told = {key.replace("_", "-"): value for key, value in headers.items()}

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(Guard(INSIDE, TOKEN, 8765, host))
        async with httpx.AsyncClient(transport=transport, base_url=HOME) as client:
            return await client.request(method, path, headers=told)

    return asyncio.run(asked())


def guard(host: str) -> Guard:
    return Guard(INSIDE, TOKEN, 8765, host)


COOKIE = f"bayesloom-studio-8765={TOKEN}"
WITH = f"/?token={TOKEN}"


def test_nobody_comes_in_without_the_token() -> None:
    for path in ("/", "/?token=", "/?token=wrong", f"{WITH}x", "/?token=%C3%A4"):
        found = ask(path=path)
        assert (found.status_code, "inside" in found.text) == (403, False)
    for cookie in (f"{COOKIE}x", f"bayesloom-studio-1={TOKEN}", "a=;;;", "[]=1; x"):
        assert ask(cookie=cookie).status_code == 403


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_do_not_get() -> None:
    first = ask(path=WITH)
    assert first.text == "inside"
    cookie = first.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} < set(cookie)
    second = ask(cookie=cookie[0])
    assert second.text == "inside"
    assert "set-cookie" not in second.headers


@pytest.mark.parametrize(
    "host", ["evil.example:8765", "127.0.0.1", "127.0.0.1:80", "localhost", ":8765", ""]
)
def test_a_name_of_somebody_else_that_points_here_is_refused(host: str) -> None:
    found = ask(cookie=COOKIE, Host=host)
    assert (found.status_code, found.text) == (421, "This host is not the studio's.\n")
    other = ask(path=WITH, Host=host)
    assert (other.status_code, "set-cookie" in other.headers) == (421, False)


@pytest.mark.parametrize(
    "host", ["localhost:8765", "LOCALHOST:8765", "[::1]:8765", "127.0.0.1:8765"]
)
def test_the_names_of_this_machine_are_known(host: str) -> None:
    assert ask(cookie=COOKIE, Host=host).text == "inside"


def test_a_studio_for_others_is_called_by_its_name_or_by_a_number() -> None:
    assert guard("0.0.0.0").knows("192.168.1.7:8765")
    assert not guard("0.0.0.0").knows("evil.example:8765")
    assert guard("lab.example").knows("lab.example:8765")
    assert not guard("127.0.0.1").knows("192.168.1.7:8765")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1:8765"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "http://localhost:8765"},
        {"origin": HOME, "sec_fetch_site": "cross-site"},
        {"origin": HOME, "sec_fetch_site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_only_the_own_page_changes_things(method: str, headers: dict[str, str]) -> None:
    assert ask(method, cookie=COOKIE, **headers).status_code == 403


def test_the_own_page_does() -> None:
    headers = {"origin": HOME, "sec_fetch_site": "same-origin"}
    assert ask("POST", cookie=COOKIE, **headers).text == "inside"
    assert ask("POST", WITH, **headers).status_code == 403  # a token in an address changes nothing


def test_another_origin_does_not_even_read() -> None:
    assert ask(cookie=COOKIE, origin="http://evil.example").status_code == 403


def test_every_answer_has_the_policy_and_no_inline_script_is_allowed() -> None:
    for found in (ask(cookie=COOKIE), ask(), ask(Host="evil.example")):
        policy = found.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["cache-control"] == "no-store"
        assert found.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in found.headers
