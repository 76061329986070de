"""Slow, obvious versions of counting, scoring and testing that the fast code must agree with.

Counts are dictionaries, numbers carry 50 digits, and every function is its definition read aloud.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import mpmath
from mpmath import mpf

from bayesloom.data import Table

mpmath.mp.dps = 50

Config = tuple[int, ...]


def relative_error(found: float, true: mpf) -> float:
    """Return how far ``found`` is from ``true``, as a share of ``true``; infinity for no number."""
    if true == 0:
        return 0.0 if found == 0 else math.inf
    return float(abs((mpf(float(found)) - true) / true)) if math.isfinite(found) else math.inf


# Counts


def counts(table: Table, variables: Sequence[int]) -> Counter[Config]:
    """Count the configurations of some variables that occur, in the rows that know them all."""
    if not variables:
        return Counter({(): table.n_rows})
    rows = zip(*(table.codes[v].tolist() for v in variables), strict=True)
    return Counter(
        row
        for row in rows
        if all(k < len(table.states[v]) for k, v in zip(row, variables, strict=True))
    )


Families = Mapping[Config, Mapping[int, int]]


def family_counts(table: Table, child: int, parents: Sequence[int]) -> Families:
    """Return n_jk for every parent configuration j and state k of the child that occur together."""
    families: dict[Config, dict[int, int]] = {}
    for (*config, k), n in counts(table, [*parents, child]).items():
        families.setdefault(tuple(config), {})[k] = n
    return families


def n_configurations(table: Table, variables: Sequence[int]) -> int:
    return math.prod(len(table.states[v]) for v in variables)


# Scores


def maximal_likelihood(families: Families) -> mpf:
    return mpmath.fsum(
        n_jk * mpmath.log(mpf(n_jk) / sum(n_j.values()))
        for n_j in families.values()
        for n_jk in n_j.values()
    )


def log_likelihood(table: Table, child: int, parents: Sequence[int]) -> mpf:
    return maximal_likelihood(family_counts(table, child, parents))


def free_parameters(table: Table, child: int, parents: Sequence[int]) -> int:
    return (len(table.states[child]) - 1) * n_configurations(table, parents)


def aic(table: Table, child: int, parents: Sequence[int]) -> mpf:
    return log_likelihood(table, child, parents) - free_parameters(table, child, parents)


def bic(table: Table, child: int, parents: Sequence[int], penalty: float = 1.0) -> mpf:
    price = mpf(penalty) * mpmath.log(table.n_rows) / 2
    return log_likelihood(table, child, parents) - price * free_parameters(table, child, parents)


def dirichlet(
    families: Families, a: Callable[[Config], mpf], b: Callable[[Config, int], mpf]
) -> mpf:
    """Return the log marginal likelihood with prior counts a of configurations and b of cells."""
    total = mpf(0)
    for j, n_j in families.items():
        total -= log_rising(a(j), sum(n_j.values()))
        total += sum(log_rising(b(j, k), n_jk) for k, n_jk in n_j.items())
    return total


def log_rising(b: mpf, n: int) -> mpf:
    return _log_rising(b, n, mpmath.mp.dps)


@cache
def _log_rising(b: mpf, n: int, digits: int) -> mpf:
    with mpmath.workdps(digits):
        return mpmath.loggamma(b + n) - mpmath.loggamma(b)


def uniform_dirichlet(families: Families, r: int, b: mpf) -> mpf:
    """Return the log marginal likelihood with the same prior count for each of r states."""
    return dirichlet(families, lambda _: r * b, lambda *_: b)


def bdeu(table: Table, child: int, parents: Sequence[int], ess: float = 1.0) -> mpf:
    q, r = n_configurations(table, parents), len(table.states[child])
    return uniform_dirichlet(family_counts(table, child, parents), r, mpf(ess) / (q * r))


def k2(table: Table, child: int, parents: Sequence[int]) -> mpf:
    r = len(table.states[child])
    return uniform_dirichlet(family_counts(table, child, parents), r, mpf(1))


def bde(table: Table, child: int, parents: Sequence[int], earlier: Table, ess: float = 1.0) -> mpf:
    q, r = n_configurations(table, parents), len(table.states[child])
    before = family_counts(earlier, child, parents)
    # A share of the equivalent sample must not vanish beside a count.
    with mpmath.workdps(50 + max(0, int(mpmath.log10(q * r / mpf(ess))))):
        return dirichlet(
            family_counts(table, child, parents),
            lambda j: sum(before.get(j, {}).values()) + mpf(ess) / q,
            lambda j, k: before.get(j, {}).get(k, 0) + mpf(ess) / (q * r),
        )


def bds(table: Table, child: int, parents: Sequence[int], ess: float = 1.0) -> mpf:
    families = family_counts(table, child, parents)
    r = len(table.states[child])
    return uniform_dirichlet(families, r, mpf(ess) / (len(families) * r))


def bdm(table: Table, child: int, parents: Sequence[int], ess: float = 20.0) -> mpf:
    """Return the score as it is defined: of the family's table, minus that of the parents'."""
    own = size_mixture(table, (*parents, child), mpf(ess))
    return own - (size_mixture(table, parents, mpf(ess)) if parents else 0)


def size_mixture(table: Table, variables: Sequence[int], ess: mpf) -> mpf:
    """Return the log of the mean likelihood of a table, over three equivalent sample sizes."""
    cells = n_configurations(table, variables)
    columns = [table.codes[v].tolist() for v in variables]
    counts = Counter(zip(*columns, strict=True)).values()

    def likelihood(size: mpf) -> mpf:
        share = size / cells
        before = mpmath.loggamma(size) - mpmath.loggamma(size + table.n_rows)
        rows = (mpmath.loggamma(share + n) - mpmath.loggamma(share) for n in counts)
        return mpmath.exp(before + mpmath.fsum(rows))

    with mpmath.workdps(80):
        return mpmath.log(mpmath.fsum(likelihood(ess * k) for k in (mpf(1) / 4, 1, 4)) / 3)


@cache
def regret(n: int, k: int) -> mpf:
    """Return the multinomial regret as it is defined: over all ways to share n rows among k."""
    if n == 0 or k == 1:
        return mpf(1)
    share = [mpf(h) / n for h in range(n + 1)]
    return mpmath.fsum(
        mpmath.binomial(n, h) * share[h] ** h * share[n - h] ** (n - h) * regret(h, k - 1)
        for h in range(n + 1)
    )


@cache
def log_regrets(n: int, most: int) -> list[mpf]:
    """Return log C(n, k) for all k from 0 (where there is none) to the most, by the recurrence."""
    known = [mpmath.nan, mpf(1), regret(n, 2)]
    for k in range(1, most - 1):
        known.append(known[k + 1] + mpf(n) / k * known[k])
    return [mpmath.log(value) for value in known[: most + 1]]


def approximate_log_regret(n: int, k: int) -> mpf:
    """Return the approximation of Szpankowski and Weinberger."""
    a = mpf(k) / n
    c = (1 + mpmath.sqrt(1 + 4 / a)) / 2
    return n * (mpmath.log(a) + (a + 2) * mpmath.log(c) - 1 / c) - mpmath.log(c + 2 / a) / 2


def log_regret(n: int, k: int) -> mpf:
    """Return log C(n, k), approximated beyond 65,536 states as the scores say they do."""
    if n == 0:
        return mpf(0)
    return log_regrets(n, k)[k] if k <= 1 << 16 else approximate_log_regret(n, k)


def fnml(table: Table, child: int, parents: Sequence[int]) -> mpf:
    families, r = family_counts(table, child, parents), len(table.states[child])
    regrets = mpmath.fsum(log_regret(sum(n_j.values()), r) for n_j in families.values())
    return maximal_likelihood(families) - regrets


def qnml(table: Table, child: int, parents: Sequence[int]) -> mpf:
    q, n = n_configurations(table, parents), table.n_rows
    price = log_regret(n, len(table.states[child]) * q) - log_regret(n, q)
    return log_likelihood(table, child, parents) - price


def kappa_prior(table: Table, child: int, parents: Sequence[int], kappa: float) -> mpf:
    return free_parameters(table, child, parents) * mpmath.log(mpf(kappa))


def parent_prior(n_variables: int, n_parents: int, expected: float) -> mpf:
    m = n_variables - 1
    share = mpf(expected) / m
    return n_parents * mpmath.log(share) + (m - n_parents) * mpmath.log(1 - share)


def node_average(table: Table, child: int, parents: Sequence[int]) -> mpf:
    """Return the log-likelihood of the rows known, as if all N rows were like them."""
    rows = sum(counts(table, [*parents, child]).values())
    if rows == 0:
        return -table.n_rows * mpmath.log(len(table.states[child]))
    return log_likelihood(table, child, parents) * table.n_rows / rows


def known_rows(table: Table, variables: Sequence[int]) -> Table | None:
    """Return the rows in which no variable of a set is missing."""
    rows = [
        i
        for i in range(table.n_rows)
        if all(table.codes[v][i] < len(table.states[v]) for v in variables)
    ]
    return table.take(rows) if rows else None


def chained_average(table: Table, child: int, parents: Sequence[int]) -> mpf:
    """Return N times what the parents tell, one after the other, minus the child's entropy."""

    def told(x: int, y: int, base: Sequence[int]) -> mpf:
        known = known_rows(table, [x, y, *base])
        return mpf(0) if known is None else information(known, x, y, base)

    def alone(p: int) -> tuple[float, int]:
        return -float(told(min(child, p), max(child, p), ())), p

    order = sorted(parents, key=alone)
    terms = [told(child, p, order[:k]) for k, p in enumerate(order)]
    known = known_rows(table, [child])
    own = mpf(0) if known is None else entropy(known, [child])
    return table.n_rows * min(mpf(0), mpmath.fsum(terms) - own)


# Information


def entropy(table: Table, variables: Sequence[int]) -> mpf:
    shares = [mpf(n) / table.n_rows for n in counts(table, variables).values()]
    return -mpmath.fsum(p * mpmath.log(p) for p in shares)


def information(table: Table, x: int, y: int, given: Sequence[int]) -> mpf:
    """Return I(x; y | given) as four entropies."""
    parts = [[*given, x], [*given, y], [*given, x, y], list(given)]
    h_x, h_y, h_xy, h = (entropy(table, part) for part in parts)
    found = h_x + h_y - h_xy - h
    return found if found > mpf(10) ** -40 else mpf(0)


# Independence tests


@dataclass(frozen=True, slots=True)
class TwinTest:
    """What a test reports; ``min_expected`` is 0 where a stratum or a level of one is empty."""

    statistic: mpf
    df: int
    log_p: mpf
    min_expected: mpf
    conclusive: bool


def log_upper_tail(statistic: mpf, df: int) -> mpf:
    """Return the logarithm of the chance that a chi-square variable is above ``statistic``."""
    if df == 0 or statistic == 0:
        return mpf(0)
    a, x = mpf(df) / 2, mpf(statistic) / 2
    if x < a:  # the tail is nearly 1
        return mpmath.log1p(-mpmath.gammainc(a, 0, x, regularized=True))
    return mpmath.log(mpmath.gammainc(a, x, regularized=True))


def independence_test(
    table: Table,
    x: int,
    y: int,
    given: Sequence[int],
    *,
    g_square: bool,
    strict: bool,
    least: float = 5.0,
) -> TwinTest:
    """Test x against y given the rest, cell by cell over all levels that occur in the table."""
    level = [sorted(set(column.tolist())) for column in table.codes]
    n_sxy = counts(table, [*given, x, y])
    statistic, df, least_expected = mpf(0), 0, mpmath.inf
    for s in product(*(level[v] for v in given)):
        n_x = [sum(n_sxy[*s, i, j] for j in level[y]) for i in level[x]]
        n_y = [sum(n_sxy[*s, i, j] for i in level[x]) for j in level[y]]
        n_s = sum(n_x)
        if n_s == 0:
            least_expected = mpf(0)
            continue
        for (i, in_x), (j, in_y) in product(
            zip(level[x], n_x, strict=True), zip(level[y], n_y, strict=True)
        ):
            n, expected = n_sxy[*s, i, j], mpf(in_x) * in_y / n_s
            least_expected = min(least_expected, expected)
            if g_square:
                statistic += 2 * n * mpmath.log(n / expected) if n else 0
            else:
                statistic += (n - expected) ** 2 / expected if expected else 0
        df += (sum(n > 0 for n in n_x) - 1) * (sum(n > 0 for n in n_y) - 1)
    cells = math.prod(len(level[v]) for v in [*given, x, y])
    if strict:
        df = (len(level[x]) - 1) * (len(level[y]) - 1) * math.prod(len(level[v]) for v in given)
        conclusive = df > 0 and least_expected > 0 and least_expected >= least
    else:
        conclusive = df > 0 and table.n_rows >= least * cells
    statistic = statistic if statistic > mpf(10) ** -40 else mpf(0)
    return TwinTest(statistic, df, log_upper_tail(statistic, df), least_expected, bool(conclusive))


# Control of errors over many tests


def benjamini_hochberg(p_values: Sequence[float], q: float) -> list[bool]:
    """Reject p_(1) to p_(i) for the largest i with p_(i) <= i q / m."""
    m = len(p_values)
    ranked = sorted(p_values)
    bound = [p for i, p in enumerate(ranked, 1) if mpf(p) <= i * mpf(q) / m]
    return [bool(bound) and p <= bound[-1] for p in p_values]


@cache
def gamma_lord(j: int) -> mpf:
    return mpf("0.07720838") * mpmath.log(max(j, 2)) / (j * mpmath.exp(mpmath.sqrt(mpmath.log(j))))


@cache
def gamma_saffron(j: int) -> mpf:
    return mpf(j) ** mpf("-1.6") / mpmath.zeta(mpf("1.6"))


def alpha_spending(p_values: Sequence[float], alpha: float) -> list[bool]:
    return [p <= alpha * gamma_lord(t) for t, p in enumerate(p_values, 1)]


def lord(p_values: Sequence[float], alpha: float, w0: float) -> list[bool]:
    tau: list[int] = []
    verdicts = []
    for t, p in enumerate(p_values, 1):
        level = gamma_lord(t) * w0
        level += (mpf(alpha) - w0) * gamma_lord(t - tau[0]) if tau else 0
        level += alpha * mpmath.fsum(gamma_lord(t - tau_j) for tau_j in tau[1:])
        verdicts.append(bool(p <= level))
        tau += [t] * verdicts[-1]
    return verdicts


def saffron(
    p_values: Sequence[float], alpha: float, w0: float, threshold: float = 0.5
) -> list[bool]:
    tau: list[int] = []
    verdicts = []
    for t, p in enumerate(p_values, 1):

        def since(tau_j: int, t: int = t) -> int:
            """Return the candidates after tau_j and before t."""
            return sum(p <= threshold for p in p_values[tau_j : t - 1])

        level = w0 * gamma_saffron(t - since(0))
        level += (mpf(alpha) - w0) * gamma_saffron(t - tau[0] - since(tau[0])) if tau else 0
        level += alpha * mpmath.fsum(gamma_saffron(t - tau_j - since(tau_j)) for tau_j in tau[1:])
        verdicts.append(bool(p <= min(threshold, (1 - mpf(threshold)) * level)))
        tau += [t] * verdicts[-1]
    return verdicts
