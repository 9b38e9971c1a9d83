# Writes tests.json: what SciPy 1.17 computes for the rank tests and effect sizes that RankTestTests checks,
# on 1,000 random data sets with ties, few values and extreme ones.
# Run: python3 tests.py > tests.json
#
# Where SciPy has no exact answer (a signed-rank test with ties) the distribution is counted here with whole numbers.
import json
import math
from fractions import Fraction
import numpy as np
import scipy
from scipy import integrate, stats

rng = np.random.default_rng(20261121)


def differences(i):
    """Six kinds of data in turn: smooth, tied, with zeros, heavy-tailed, extreme, and shifted."""
    n = int(rng.integers(1, 25))
    kind = i % 6
    if kind == 0:
        v = rng.normal(0.3, 1, n)
    elif kind == 1:
        v = rng.integers(-4, 6, n).astype(float)
    elif kind == 2:
        v = np.where(rng.random(n) < 0.4, 0.0, rng.normal(0, 1, n))
    elif kind == 3:
        v = rng.standard_t(1, n)
    elif kind == 4:
        v = rng.choice([1e-300, -1e-300, 1e300, -1e300, 1.0, -2.0], n)
    else:
        v = rng.lognormal(0, 1, n) - 0.5
    return [float(f"{x:.6g}") for x in v]


def signed_rank(d):
    """[W+, two-sided p]: every assignment of signs counted, by doubled midranks."""
    d = [x for x in d if x != 0]
    if not d:
        return [0.0, 1.0]
    ranks = [int(2 * r) for r in stats.rankdata(np.abs(d))]
    total = sum(ranks)
    counts = {0: 1}
    for r in ranks:
        new = dict(counts)
        for s, c in counts.items():
            new[s + r] = new.get(s + r, 0) + c
        counts = new
    w = sum(r for r, x in zip(ranks, d) if x > 0)
    low = sum(c for s, c in counts.items() if s <= min(w, total - w))
    p = min(Fraction(1), Fraction(2 * low, 2 ** len(d)))
    if len(set(map(abs, d))) == len(d):
        exact = stats.wilcoxon(d, method="exact")
        assert math.isclose(exact.pvalue, float(p), rel_tol=1e-12), d
    return [w / 2, float(p)]


def cliff(a, b):
    return sum((x > y) - (x < y) for x in a for y in b) / (len(a) * len(b))


sets = []
previous = [1.0, 2.0, 2.0]
for i in range(1000):
    d = differences(i)
    w, p = signed_rank(d)
    sets.append({"d": d, "w": w, "p": p, "cliff": cliff(d, previous)})
    previous = d

# Corrections, and rank sums over blocks, are in estimates.py. What was drawn for them here is drawn still, so that all that
# follows stays as it is.
for n in [1, 2, 3, 7, 20]:
    rng.random(n)
for blocks, treatments in [(3, 3), (6, 4), (10, 3), (12, 5), (30, 4), (4, 3)]:
    rng.normal(0, 1, (blocks, treatments))


def spending_levels(shares, alpha):
    """Lan and DeMets with Pocock's type: the joint density of the looks, integrated by nested adaptive quadrature."""
    spent, bounds, levels = 0.0, [], []

    def beyond(k, u, c):
        """The chance that look k is the first to cross, at c, given the sum u at look 0."""
        if k == 0:
            return 0.0
        step = math.sqrt(shares[1] - shares[0])
        if k == 1:
            return stats.norm.sf((c - u) / step) + stats.norm.cdf((-c - u) / step)
        last = math.sqrt(shares[2] - shares[1])
        inner = lambda v: stats.norm.pdf((v - u) / step) / step * (
            stats.norm.sf((c - v) / last) + stats.norm.cdf((-c - v) / last))
        return integrate.fixed_quad(np.vectorize(inner), -bounds[1], bounds[1], n=60)[0]

    for k, t in enumerate(shares):
        total = alpha * math.log(1 + (math.e - 1) * t)
        low, high = 0.0, 8.0 * math.sqrt(t)
        for _ in range(44):
            mid = (low + high) / 2
            if k == 0:
                p = 2 * stats.norm.sf(mid / math.sqrt(t))
            else:
                first = math.sqrt(shares[0])
                f = lambda u: stats.norm.pdf(u / first) / first * beyond(k, u, mid)
                p = integrate.fixed_quad(np.vectorize(f), -bounds[0], bounds[0], n=60)[0]
            low, high = (mid, high) if p > total - spent else (low, mid)
        bounds.append((low + high) / 2)
        levels.append(float(2 * stats.norm.sf(bounds[-1] / math.sqrt(t))))
        spent = total
    return levels


spending = [{"shares": s, "alpha": a, "levels": spending_levels(s, a)} for s, a in
            [([1.0], 0.05), ([0.25, 0.5, 1.0], 0.05), ([0.25, 0.5, 1.0], 0.01), ([0.5, 1.0], 0.05)]]


def energy_split(x, least=5):
    """The best split by the energy distance, from its definition."""
    best = None
    for t in range(least, len(x) - least + 1):
        a, b = np.array(x[:t]), np.array(x[t:])
        n, m = len(a), len(b)
        e = 2 * np.abs(a[:, None] - b).sum() / (n * m)
        e -= 2 * np.triu(np.abs(a[:, None] - a)).sum() / (n * (n - 1))
        e -= 2 * np.triu(np.abs(b[:, None] - b)).sum() / (m * (m - 1))
        q = n * m / (n + m) * e
        if best is None or q > best[1]:
            best = (t, float(q))
    return list(best)


histories = []
for n, change in [(10, 5), (30, 12), (60, 40), (80, 80), (25, 8)]:
    x = [round(float(v), 5) for v in rng.normal(100, 2, n) + np.where(np.arange(n) >= change, 9, 0)]
    histories.append({"x": x, "split": energy_split(x)})

bca = []
for data, name in [(rng.lognormal(0, 1, 25), "mean"), (rng.normal(5, 1, 40), "mean"), (rng.lognormal(0, 0.5, 31), "median")]:
    x = [round(float(v), 5) for v in data]
    r = stats.bootstrap((x,), getattr(np, name), n_resamples=100000, method="BCa", rng=5).confidence_interval
    bca.append({"x": x, "statistic": name, "interval": [float(r.low), float(r.high)]})

print(json.dumps({
    "origin": f"tests.py with SciPy {scipy.__version__}, NumPy {np.__version__}",
    "sets": sets, "spending": spending, "histories": histories, "bca": bca,
}, separators=(",", ":")))
