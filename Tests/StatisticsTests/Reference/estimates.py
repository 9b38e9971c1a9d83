# Writes estimates.json: what NumPy and SciPy 1.17 compute for the estimates, corrections and rank sums over blocks that
# EstimateTests checks, on 1,000 random data sets each, with ties, few values and extreme ones.
# Quantiles: numpy.quantile (linear). Median's interval: scipy.stats.binom. Hodges-Lehmann: numpy.median of all averages,
# its interval by counting the sums of ranks with whole numbers. Benjamini-Hochberg:
# scipy.stats.false_discovery_control; Holm: from its definition. Friedman: scipy.stats.friedmanchisquare, and Iman and
# Davenport's F by scipy.stats.f.
# Run: python3 estimates.py > estimates.json
import json
import math
import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20261122)


def values(i):
    """Five kinds of data in turn: smooth, tied, heavy-tailed, extreme, log-normal."""
    n = int(rng.integers(1, 25))
    v = [
        lambda: rng.normal(0.3, 1, n),
        lambda: rng.integers(-4, 6, n).astype(float),
        lambda: rng.standard_t(1, n),
        lambda: rng.choice([1e-300, -1e-300, 1e300, -1e300, 1.0, -2.0], n),
        lambda: rng.lognormal(0, 3, n),
    ][i % 5]()
    return [float(f"{x:.5g}") for x in v]


def median_interval(v):
    """Between the k-th least and the k-th greatest, with the largest k that reaches 95 %; else least and greatest."""
    v, n = sorted(v), len(v)
    k = max([k for k in range(1, n // 2 + 1) if 1 - 2 * stats.binom.cdf(k - 1, n, 0.5) >= 0.95], default=1)
    return [v[k - 1], v[n - k], 1 - 2 * float(stats.binom.cdf(k - 1, n, 0.5))]


def hodges_lehmann(v):
    """[center, low, high, coverage]; the interval leaves out c averages at each end, by the sums of ranks."""
    n = len(v)
    walsh = sorted((v[i] + v[j]) / 2 for i in range(n) for j in range(i, n))
    counts = [1]
    for rank in range(1, n + 1):
        counts = [
            (counts[s] if s < len(counts) else 0) + (counts[s - rank] if 0 <= s - rank < len(counts) else 0)
            for s in range(len(counts) + rank)
        ]
    cut = 0
    coverage = lambda c: 1 - 2 * sum(counts[: c + 1]) / 2**n
    while cut + 1 < len(walsh) // 2 and coverage(cut) >= 0.95:
        cut += 1
    cut = max(0, cut - 1)
    middle = walsh[(len(walsh) - 1) // 2: len(walsh) // 2 + 1]
    return {
        "center": sum(middle) / len(middle), "scale": max(map(abs, middle)),
        "interval": [walsh[cut], walsh[-1 - cut], coverage(cut)],
    }


def data_set(i):
    v = values(i)
    share = float(f"{rng.random():.3g}")
    place = share * (len(v) - 1)
    near = sorted(v)[math.floor(place): math.ceil(place) + 1]
    return {
        "values": v, "share": share, "quantile": float(np.quantile(v, share)), "scale": max(map(abs, near)),
        "median": median_interval(v), "center": hodges_lehmann(v),
    }


def correction():
    n = int(rng.integers(1, 13))
    p = [float(f"{x:.3g}") for x in rng.random(n) ** rng.integers(1, 9)]
    if n > 2 and rng.random() < 0.5:
        p[1] = p[0]
    order = sorted(range(n), key=lambda i: (p[i], i))
    holm, greatest = [0.0] * n, 0.0
    for k, i in enumerate(order):
        greatest = max(greatest, min(1.0, (n - k) * p[i]))
        holm[i] = greatest
    return {"p": p, "holm": holm, "bh": [float(x) for x in stats.false_discovery_control(p, method="bh")]}


def friedman():
    while True:
        blocks, treatments = int(rng.integers(2, 13)), int(rng.integers(3, 6))
        x = rng.normal(0, 1, (blocks, treatments)) + np.arange(treatments) * rng.random()
        x = np.round(x, int(rng.integers(0, 3)))
        if all(len(set(row)) == 1 for row in x.tolist()):
            continue
        r = stats.friedmanchisquare(*x.T)
        c, rest = float(r.statistic), blocks * (treatments - 1) - float(r.statistic)
        # Where all blocks rank alike, F is infinite.
        if rest < 1e-6 * blocks:
            continue
        f = (blocks - 1) * c / rest
        p = float(stats.f.sf(f, treatments - 1, (treatments - 1) * (blocks - 1)))
        return {"blocks": x.tolist(), "chi": c, "chiP": float(r.pvalue), "f": f, "p": p}


print(json.dumps({
    "origin": f"estimates.py with SciPy {scipy.__version__}, NumPy {np.__version__}",
    "sets": [data_set(i) for i in range(1000)],
    "corrections": [correction() for _ in range(1000)],
    "friedman": [friedman() for _ in range(1000)],
}, separators=(",", ":")))
