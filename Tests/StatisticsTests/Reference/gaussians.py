# Writes gaussians.json: points of known mixtures, the mixtures that scikit-learn's GaussianMixture fits to them from 6
# beginnings, their logarithms of likelihood by SciPy's multivariate_normal, and the criteria of 1 to 4 components, for
# GaussianMixtureTests. Run: python3 gaussians.py > gaussians.json
import json
import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture

rng = np.random.default_rng(20261125)


def points(parts):
    drawn = [rng.multivariate_normal(m, c, n) for n, m, c in parts]
    return np.round(np.concatenate(drawn), 4)


def fit(x, k):
    return GaussianMixture(k, n_init=6, tol=1e-9, max_iter=2000, reg_covar=1e-9, random_state=1).fit(x)


def likelihood(x, g):
    logs = [np.log(w) + multivariate_normal(m, c).logpdf(x)
            for w, m, c in zip(g.weights_, g.means_, g.covariances_)]
    return float(logsumexp(logs, axis=0).sum())


def b(x, k):
    return float(GaussianMixture(k, n_init=6, tol=1e-6, reg_covar=1e-9, random_state=1).fit(x).bic(x))


cases = []
for parts in [
    [(200, [0, 0], [[1, 0.5], [0.5, 1]])],
    [(150, [0, 0], [[1, 0.3], [0.3, 0.5]]), (60, [4, 1], [[0.4, -0.2], [-0.2, 0.6]])],
    [(200, [0, 0, 0], np.diag([1, 0.5, 0.2])), (80, [3, 3, 0], np.diag([0.3, 0.3, 0.3])),
     (40, [-3, 4, 2], np.diag([0.2, 0.5, 0.1]))],
]:
    x = points(parts)
    g = fit(x, len(parts))
    order = np.argsort(-g.weights_)
    cases.append({
        "points": x.tolist(), "weights": g.weights_[order].tolist(), "means": g.means_[order].tolist(),
        "covariances": g.covariances_[order].tolist(), "logLikelihood": likelihood(x, g),
        "criteria": [b(x, k) for k in range(1, len(parts) + 1)],
        "best": int(np.argmin([b(x, k) for k in range(1, 5)])) + 1,
    })
print(json.dumps(cases))
