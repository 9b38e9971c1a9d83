# Writes logarithmic.json: what SciPy 1.17 computes for the fits and the factors that LogarithmicFitTests checks.
# Coefficients: scipy.optimize.least_squares of ln(model / measured) with lower bounds of zero, from several starts; only data
# sets for which its optimality is below 1e-9 and all starts end at the same place. Factors: Howe's formula by scipy.stats.
# Run: python3 logarithmic.py > logarithmic.json
import json
import numpy as np
from scipy import optimize, stats

rng = np.random.default_rng(20261127)


def fit(x, y):
    scale = np.abs(x).mean(axis=0)

    def errors(c):
        return np.log(np.maximum(x @ (c / scale), 1e-300) / y)

    def derivatives(c):
        return (x / scale) / (x @ (c / scale))[:, None]

    starts = [np.full(x.shape[1], y.mean() / x.shape[1] * s) for s in (0.2, 1.0, 3.0)]
    ends = [optimize.least_squares(errors, s, jac=derivatives, bounds=(0, np.inf), xtol=1e-15, ftol=1e-15, gtol=1e-14,
                                   max_nfev=20_000) for s in starts]
    best = min(ends, key=lambda end: end.cost)
    c = best.x / scale
    # A coefficient at its bound is approached, and not reached.
    for j in range(len(c)):
        if c[j] * x[:, j].max() < 1e-6 * y.min():
            c[j] = 0.0
    return c, best.cost, max(abs(e.cost - best.cost) for e in ends)


def data_set(i):
    p = 2 + i % 2
    n = 8 + int(rng.integers(0, 30))
    file = np.exp(rng.uniform(np.log(1e7), np.log(4e9), n))
    x = np.column_stack([np.ones(n), file * rng.uniform(0.1, 0.9, n), file][:p])
    planted = np.array([5e6, 2.5, 0.4])[:p] * (rng.random(p) > 0.2)
    y = np.round(np.maximum(x @ planted, 1e5) * np.exp(rng.normal(0, 0.3, n)))
    x = np.round(x)
    c, cost, spread = fit(x, y)
    return {"rows": x.tolist(), "measured": y.tolist(), "coefficients": c.tolist(), "squares": 2 * cost, "spread": spread}


sets = [s for s in (data_set(i) for i in range(90)) if s["spread"] < 1e-9 * (1 + s["squares"])]
for s in sets:
    del s["spread"]
factors = []
for share, confidence, count, freedom in [(0.9, 0.95, 45, 42), (0.9, 0.99, 43, 42), (0.95, 0.9, 12, 10), (0.5, 0.95, 100, 97),
                                          (0.99, 0.99, 7, 6)]:
    k = stats.norm.ppf((1 + share) / 2) * np.sqrt(freedom * (1 + 1 / count) / stats.chi2.ppf(1 - confidence, freedom))
    factors.append({"share": share, "confidence": confidence, "count": count, "freedom": freedom, "factor": float(k)})
print(json.dumps({"sets": sets[:60], "factors": factors}))
