# Writes mixtures.json: the largest mean of a mixture within a divergence of a given one, by direct optimization over the mixture
# with SciPy's SLSQP from several starts, on random costs and weights, for WorstMixtureTests.
# Run: python3 mixtures.py > mixtures.json
import json
import numpy as np
from scipy.optimize import minimize

rng = np.random.default_rng(20261123)


def worst(costs, weights, rho):
    q, c = weights / weights.sum(), costs
    low = 1e-14

    def divergence(p):
        p = np.maximum(p, low)
        return float(np.sum(p * np.log(p / q)))

    best = float(q @ c)
    for start in [q] + [0.5 * q + 0.5 * rng.dirichlet(np.ones(len(c))) for _ in range(6)]:
        found = minimize(
            lambda p: -float(p @ c), start, jac=lambda p: -c, method="SLSQP",
            bounds=[(low, 1)] * len(c), options={"maxiter": 2000, "ftol": 1e-14},
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "ineq", "fun": lambda p: rho - divergence(p)},
            ])
        p = np.maximum(found.x, 0)
        p /= p.sum()
        if divergence(p) <= rho + 1e-8:
            best = max(best, float(p @ c))
    return best


cases = []
for i in range(200):
    n = int(rng.integers(2, 9))
    costs = np.round(rng.gamma(1.0, 1.0, n), 6)
    weights = np.round(rng.uniform(0.05, 1, n), 6)
    rho = round(float(rng.choice([0.01, 0.05, 0.1, 0.3, 1.0])), 6)
    cases.append({
        "costs": costs.tolist(), "weights": weights.tolist(), "divergence": rho,
        "mean": worst(costs, weights, rho),
    })
print(json.dumps(cases))
