# Writes reference.json: what SciPy 1.17 and NumPy compute for the numbers that StatisticsTests checks.
# Run: python3 reference.py > reference.json
import itertools, json
import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20260101)
log_normal = [round(float(v), 6) for v in rng.lognormal(1.0, 0.5, 30)]
other = [round(float(v), 6) for v in rng.lognormal(1.2, 0.4, 30)]
ties = [2.0, 2.0, 3.0, 5.0, 5.0, 5.0, 8.0]


def median_interval(values, confidence=0.95):
    """[x_k, x_(n+1-k)] by the binomial distribution; [min, max] where none reaches the confidence."""
    v, n = sorted(values), len(values)
    ranks = [k for k in range(1, n // 2 + 1) if 1 - 2 * stats.binom.cdf(k - 1, n, 0.5) >= confidence]
    k = max(ranks) if ranks else 1
    return [v[k - 1], v[n - k], 1 - 2 * float(stats.binom.cdf(k - 1, n, 0.5))]


def signed_rank_interval(values, confidence=0.95):
    """Inverts the signed-rank test; its distribution by going through all 2^n signs."""
    n = len(values)
    walsh = sorted((values[i] + values[j]) / 2 for i in range(n) for j in range(i, n))
    sums = [sum(r for r, s in zip(range(1, n + 1), signs) if s) for signs in itertools.product([0, 1], repeat=n)]
    cut = 0
    while 1 - 2 * sum(s <= cut for s in sums) / 2**n >= confidence:
        cut += 1
    cut = max(0, cut - 1)
    coverage = 1 - 2 * sum(s <= cut for s in sums) / 2**n
    return [float(np.median(walsh)), walsh[cut], walsh[len(walsh) - 1 - cut], coverage]


def bootstrap(statistic, data, **more):
    r = stats.bootstrap(data, statistic, n_resamples=20000, method="percentile", rng=7, **more)
    return [float(r.confidence_interval.low), float(r.confidence_interval.high)]


x = list(range(40))
steps = [float(100 + 3 * i + (500 if i == 20 else 0) + (i * 7919) % 5) for i in x]
out = {
    "origin": f"reference.py with SciPy {scipy.__version__}, NumPy {np.__version__}",
    "series": {"logNormal": log_normal, "other": other, "ties": ties, "steps": steps},
    "quantiles": [
        {"series": s, "share": q, "value": float(np.quantile(d, q))}
        for s, d in [("logNormal", log_normal), ("ties", ties)]
        for q in [0, 0.01, 0.25, 0.5, 0.75, 0.99, 1]
    ],
    "medianIntervals": [
        {"count": n, "interval": median_interval(log_normal[:n])} for n in [2, 3, 5, 6, 7, 8, 9, 12, 20, 30]
    ],
    "hodgesLehmann": [
        {"count": n, "result": signed_rank_interval(log_normal[:n])} for n in [2, 5, 6, 7, 10, 14]
    ],
    "theilSen": float(stats.theilslopes(steps, x).slope),
    "ratioOfMedians": bootstrap(
        lambda a, b, axis=-1: np.median(a, axis=axis) / np.median(b, axis=axis), (log_normal, other)
    ),
    "pairedRatio": bootstrap(
        lambda d, axis=-1: np.exp(np.median(d, axis=axis)), (np.log(np.array(log_normal) / np.array(other)),)
    ),
    "pairedRatioHL": [
        float(np.exp(v)) if i < 3 else v
        for i, v in enumerate(signed_rank_interval([float(np.log(a / b)) for a, b in zip(log_normal[:8], other[:8])]))
    ],
}
print(json.dumps(out, indent=1))
