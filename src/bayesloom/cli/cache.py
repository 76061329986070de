"""``bayesloom cache``: what the disk engine has encoded, and how to be rid of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bayesloom.cli.options import cache_option, output_options, together
from bayesloom.cli.output import emit

if TYPE_CHECKING:
    from bayesloom.data.cache_folder import CacheEntry, CacheFolder

cache_options = together(cache_option("folder"), output_options)


@click.group(short_help="List and remove what was encoded for the disk engine.")
def cache() -> None:
    """List and remove the caches that --engine disk makes.

    \b
    bayesloom cache list
    bayesloom cache remove "big/*.parquet"
    bayesloom cache clear

    A cache holds the codes of all rows of some files, read with some options. It is used again as
    long as neither changes; whatever is removed here is made anew when it is needed.
    """


@cache.command("list", short_help="Show what there is, the latest used first.")
@cache_options
def list_(folder: str | None, *, as_json: bool, quiet: bool) -> None:
    """Show the caches, the latest used first.

    \b
    bayesloom cache list
    """
    from bayesloom.data.cache_folder import CacheFolder

    found = CacheFolder(folder)
    _tell(found, found.entries(), "", as_json=as_json, quiet=quiet)


@cache.command(short_help="Remove the caches of a source.")
@click.argument("name")
@cache_options
def remove(name: str, folder: str | None, *, as_json: bool, quiet: bool) -> None:
    """Remove the caches that NAME stands for: a key, or a source as the list shows it.

    \b
    bayesloom cache remove "big/*.parquet"
    """
    from bayesloom.data.cache_folder import CacheFolder

    found = CacheFolder(folder)
    _tell(found, found.remove(name), "removed", as_json=as_json, quiet=quiet)


@cache.command(short_help="Remove all caches.")
@cache_options
def clear(folder: str | None, *, as_json: bool, quiet: bool) -> None:
    """Remove all caches.

    \b
    bayesloom cache clear
    """
    from bayesloom.data.cache_folder import CacheFolder

    found = CacheFolder(folder)
    _tell(found, found.clear(), "removed", as_json=as_json, quiet=quiet)


def _tell(
    folder: CacheFolder, entries: list[CacheEntry], done: str, *, as_json: bool, quiet: bool
) -> None:
    from bayesloom.graphs.text import counted

    total = sum(entry.n_bytes for entry in entries)
    told = {
        "folder": str(folder.path),
        done or "caches": [entry.to_dict() for entry in entries],
        "bytes": total,
    }
    lines = [
        f"{folder.path}: {counted(len(entries), 'cache')}, {_size(total)}{f', {done}' * bool(done)}"
    ]
    for entry in entries:
        size = f"{entry.n_rows:,} rows x {entry.n_columns:,} columns, {_size(entry.n_bytes)}"
        lines.append(f"  {entry.key}  {size}  {entry.source}")
    emit(told, "\n".join(lines), as_json=as_json, quiet=quiet)


def _size(n_bytes: float) -> str:
    """Return a size as people write it.

    Examples
    --------
    >>> _size(999), _size(1_500_000)
    ('999 B', '1.5 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if n_bytes < 1000:  # noqa: PLR2004 - from unit to unit
            return f"{n_bytes:.3g} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.3g} TB"
