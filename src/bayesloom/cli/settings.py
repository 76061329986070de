"""``--set``: options that have no flag of their own, by dotted names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bayesloom.errors import listed
from bayesloom.registry import options_of, registry_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bayesloom.cli.options import Decorator, Options
    from bayesloom.registry import Registry


class Setting(NamedTuple):
    """One ``--set``: ``score.penalty=2`` is the option ``penalty`` of the part ``score``."""

    text: str
    """As it was written."""
    path: tuple[str, ...]
    """The names between the dots."""
    spelled: str
    """The value."""

    @property
    def below(self) -> Setting:
        """The same seen from inside its first part."""
        return self._replace(path=self.path[1:])


Settings = Sequence[Setting]


def settings_option(told: str, *parts: str) -> Decorator:
    """Make ``--set``; where there is no search, everything set belongs to one of some parts."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        callback=_taken_apart(parts),
        metavar="NAME=VALUE",
        help=f"{told} Repeatable.",
    )


def settings_of(options: Options, part: str) -> Settings:
    """Return what is set of one part, seen from inside it."""
    found: Settings = options.get("settings", ())
    return [each.below for each in found if each.path[0] == part and len(each.path) > 1]


def made(
    registry: Registry,
    name: str,
    settings: Settings,
    given: Mapping[str, Any] | None = None,
    *,
    usual: Mapping[str, Any] | None = None,
    flags: Mapping[str, str] | None = None,
) -> Any:  # noqa: ANN401 - whatever is registered
    """Make a value by its name, from options with flags and from what is set of it and its parts.

    Parameters
    ----------
    registry, name
        What is made.
    settings : sequence of Setting
        What ``--set`` says of it.
    given : mapping, optional
        What flags say of it.
    usual : mapping, optional
        What holds where neither says anything.
    flags : mapping, optional
        The flags of options; by default they are called as the options are.
    """
    from dataclasses import MISSING, fields, is_dataclass

    kind, title = registry[name], f"the {registry.kind} {name}"
    given, flags = given or {}, flags or {}
    check_flags(registry, name, given, flags)
    own = _own(settings, kind, title)
    for key in own:
        if key in given:
            msg = f"{_flag(key, flags)} and --set say both what {key} is; give one of them"
            raise click.UsageError(msg)
    stated = {**(usual or {}), **own, **given}
    for field in fields(kind) if is_dataclass(kind) else ():
        default = field.default is not MISSING or field.default_factory is not MISSING
        if field.init and not default and field.name not in stated:
            part = "" if registry.kind == "search" else f"{registry.kind}."
            msg = f"{title} needs {flags.get(field.name, f'--set {part}{field.name}=...')}"
            raise click.UsageError(msg)
    return changed(kind(**stated), [each for each in settings if len(each.path) > 1])


def check_flags(
    registry: Registry, name: str, given: Mapping[str, Any], flags: Mapping[str, str]
) -> None:
    """Refuse a flag of an option that something does not have."""
    known = registry.options(name)
    for key in given:
        if key not in known:
            flag = _flag(key, flags)
            plural = "have" if " and " in flag else "has"
            msg = f"{flag} {plural} no meaning for the {registry.kind} {name}"
            raise click.UsageError(msg)


def changed(value: Any, settings: Settings) -> Any:  # noqa: ANN401 - whatever has options
    """Change options of a value, and options of the values among them.

    Examples
    --------
    >>> from bayesloom.search import GES
    >>> changed(GES(), [Setting("score.penalty=2", ("score", "penalty"), "2")]).score
    BIC(kappa=None, per_parent=None, sparsity=None, penalty=2.0)
    """
    from dataclasses import replace

    if not settings:
        return value
    registry = registry_of(value)
    title = f"the {registry.kind} {registry.name_of(value)}" if registry else f"{value}"
    found = _own(settings, value, title)
    value = replace(value, **found) if found else value
    for part in dict.fromkeys(each.path[0] for each in settings if len(each.path) > 1):
        inside = [each for each in settings if each.path[0] == part and len(each.path) > 1]
        inner = getattr(value, part) if part in options_of(value) else None
        if registry_of(inner) is None:
            raise _unknown(inside[0], value, title)
        value = replace(value, **{part: changed(inner, [each.below for each in inside])})
    return value


def each_made(
    registry: Registry, wanted: Mapping[str, tuple[str, Mapping[str, Any]]], settings: Settings
) -> dict[str, Any]:
    """Make several values by their names and flags, each with what is set that it has.

    Whatever is set has to be an option of one of them.
    """
    found: dict[str, Any] = {}
    used: set[Setting] = set()
    for title, (name, given) in wanted.items():
        own = fitting(registry[name], [each for each in settings if not each.path[1:]])
        value = made(registry, name, own, given)
        inside = fitting(value, [each for each in settings if each.path[1:]])
        found[title] = changed(value, inside)
        used |= {*own, *inside}
    for each in settings:
        if each not in used:
            msg = f"--set {each.text}: expected NAME=VALUE, and none of {listed(wanted)} has that"
            raise click.UsageError(msg)
    return found


def fitting(value: object, settings: Settings) -> Settings:
    """Return the settings of options that a value, or a class, has."""
    known = options_of(value)
    found = []
    for each in settings:
        first, *inside = each.path
        if first in known and (not inside or fitting(getattr(value, first), [each.below])):
            found.append(each)
    return found


def _flag(option: str, flags: Mapping[str, str]) -> str:
    return flags.get(option, f"--{option.replace('_', '-')}")


def _own(settings: Settings, of: object, title: str) -> dict[str, object]:
    """Read the settings that are a value's own as the annotations of its options ask for."""
    from bayesloom.cli.spelling import value_of

    found, known = {}, options_of(of)
    for each in settings:
        if len(each.path) > 1:
            continue
        name = each.path[0]
        if name not in known:
            raise _unknown(each, of, title)
        try:
            found[name] = value_of(each.spelled, known[name])
        except ValueError as error:
            msg = f"--set {each.text}: {error}, got {each.spelled!r}"
            raise click.UsageError(msg) from None
    return found


def _unknown(setting: Setting, of: object, title: str) -> click.UsageError:
    """Say what options a value has, as ``--set`` names them."""
    from bayesloom.cli.spelling import is_spelled, registry_for

    before = setting.text.partition("=")[0].removesuffix(".".join(setting.path))
    known = {name: hint for name, hint in options_of(of).items() if is_spelled(hint)}
    inside = [f"{name}.NAME" for name, hint in known.items() if registry_for(hint)]
    listing = ", ".join(f"{before}{name}" for name in [*known, *inside]) or "no further options"
    return click.UsageError(f"--set {setting.text}: expected NAME=VALUE, and {title} has {listing}")


def _taken_apart(parts: Sequence[str]) -> Callable[..., Settings]:
    """Return what click calls with the texts of ``--set``."""

    def taken(_ctx: click.Context, _param: click.Parameter, texts: Sequence[str]) -> Settings:
        found = []
        for text in texts:
            key, sign, spelled = text.partition("=")
            path = tuple(key.split("."))
            if not sign or not all(path) or (parts and (path[0] not in parts or not path[1:])):
                wanted = " or ".join(f"{part}.NAME=VALUE" for part in parts) or "NAME=VALUE"
                msg = f"--set {text}: expected {wanted}"
                raise click.UsageError(msg)
            found.append(Setting(text, path, spelled))
        return tuple(found)

    return taken
