# Writes curves.json: what SciPy computes for the slopes and curve gaps that CurveStatisticsTests checks.
# Slopes: scipy.stats.theilslopes(y, x, alpha=0.95). Gaps: scipy.stats.permutation_test over all divisions,
# permutation_type="independent", two-sided by the absolute value of the statistic.
# Run: python3 curves.py > curves.json
import json
from itertools import count, islice
import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20261121)


def slope_case(number):
    n = int(rng.integers(2, 28))
    kind = number % 5
    x = sorted(int(v) for v in (rng.integers(0, n, n) if kind == 1 else rng.choice(10 * n, n, replace=False)))
    y = {
        0: lambda: rng.normal(0, 1, n),
        1: lambda: rng.integers(0, 4, n),
        2: lambda: rng.standard_cauchy(n) * 1e6,
        3: lambda: np.floor(np.array(x) / 7) * 1048576,
        4: lambda: np.exp(rng.normal(0, 9, n)),
    }[kind]()
    y = [float(f"{v:.7g}") for v in y]
    if len(set(x)) < 2:
        return None
    r = stats.theilslopes(y, x, alpha=0.95)
    return {"x": x, "y": y, "result": [float(r.slope), float(r.low_slope), float(r.high_slope)]}


def gap_case():
    a, b, places = int(rng.integers(2, 6)), int(rng.integers(2, 6)), int(rng.integers(1, 5))
    shift = rng.normal(0, 1) * (rng.random() < 0.7)
    base = [[float(f"{v:.4g}") for v in rng.normal(10, 1, places)] for _ in range(a)]
    head = [[float(f"{v:.4g}") for v in rng.normal(10 + shift, 1, places)] for _ in range(b)]
    greatest = lambda x, y: float(np.max(np.abs(np.mean(y, axis=0) - np.mean(x, axis=0))))
    # The samples are the curves' numbers: the test divides numbers, the statistic looks the curves up.
    curves = np.array(base + head)
    pick = lambda i: curves[np.asarray(i, dtype=int)]
    r = stats.permutation_test(
        (np.arange(a), np.arange(a, a + b)), lambda i, j: greatest(pick(i), pick(j)),
        permutation_type="independent", alternative="greater", n_resamples=np.inf,
    )
    return {"base": base, "head": head, "gap": float(r.statistic), "pValue": float(r.pvalue)}


print(json.dumps({
    "origin": f"curves.py with SciPy {scipy.__version__}, NumPy {np.__version__}",
    "slopes": list(islice(filter(None, map(slope_case, count())), 1000)),
    "gaps": [gap_case() for _ in range(1000)],
}, separators=(",", ":")))
