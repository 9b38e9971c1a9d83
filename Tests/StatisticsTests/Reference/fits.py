# Writes fits.json: what SciPy 1.17 and NumPy compute for the fits that FitTests checks, on 200 random data sets.
# Coefficients: scipy.optimize.lsq_linear with lower bounds of zero on rows and values divided by the values (weights
# 1/y^2). Covariance: numpy.linalg.inv over the terms above zero. Intervals: scipy.stats.t.
# Run: python3 fits.py > fits.json
import json
import numpy as np
from scipy import optimize, stats

rng = np.random.default_rng(20261123)


def unconstrained(x, y):
    """Coefficients, inverse and squares of the weighted fit over all columns."""
    a = x / y[:, None]
    inverse = np.linalg.inv(a.T @ a)
    c = inverse @ a.T @ np.ones(len(y))
    return c, inverse, float(np.sum((1 - a @ c) ** 2))


def data_set(i):
    p = 2 + i % 2
    n = p + 2 + int(rng.integers(0, 14))
    file = np.exp(rng.uniform(np.log(1e7), np.log(4e9), n))
    x = np.column_stack([np.ones(n), file * rng.uniform(0.1, 0.95, n), file])[:, :p]
    truth = np.array([3e6, 2.5, 0.8][:p]) * rng.choice([1, 1, 1, 0, -0.2], p)
    y = (np.abs(x @ truth) + 1e5) * np.exp(rng.normal(0, [0.01, 0.02, 0.1, 0.4][i % 4], n))
    x, y = np.round(x), np.round(y)
    scale = 1 / x.max(axis=0)
    found = optimize.lsq_linear(x / y[:, None] * scale, np.ones(n), (0, np.inf), tol=1e-15, max_iter=10000)
    support = [j for j in range(p) if found.x[j] > 1e-9 * found.x.max()]
    c, inverse, squares = unconstrained(x[:, support], y)
    full = np.zeros(p)
    full[support] = c
    dof = n - len(support)
    covariance = np.zeros((p, p))
    covariance[np.ix_(support, support)] = inverse * squares / dof
    intervals = []
    for j in range(p):
        terms = sorted(set(support) | {j})
        cj, ij, sj = unconstrained(x[:, terms], y)
        k, f = terms.index(j), n - len(terms)
        reach = stats.t.ppf(0.975, f) * np.sqrt(sj / f * ij[k, k])
        intervals.append([max(0.0, cj[k] - reach), max(0.0, cj[k] + reach)])
    at = np.array([1.0, 1e8, 3e8][:p])
    value = float(at @ full)
    reach = stats.t.ppf(0.975, dof) * np.sqrt(at @ covariance @ at + value**2 * squares / dof)
    return {
        "rows": x.tolist(), "measured": y.tolist(), "coefficients": full.tolist(), "bounded": (found.x * scale).tolist(),
        "intervals": intervals, "deviation": float(np.sqrt(squares / dof)), "freedom": dof, "at": at.tolist(), "value": value,
        "interval": [max(0.0, value - reach), value + reach],
    }


print(json.dumps({"sets": [data_set(i) for i in range(200)]}))
