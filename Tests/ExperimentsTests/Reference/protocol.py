# Writes protocol.json: the calls of the protocol for two builds, made a second time in NumPy and SciPy, for
# PairedRunsTests; and how often it tells a difference, certifies the machine and calls the same, simulated.
# By another way than the program's: intervals are not made, a value is tested against each edge of the tolerance by the
# signed-rank sum, whose exact distribution is counted; the levels of the looks come from scipy's bivariate and
# trivariate normal distributions; Qn is the order statistic itself, with Croux and Rousseeuw's (1992) factors.
# The sign-flip test is left out: it is drawn at random. Run: python3 protocol.py 10000 > protocol.json
import json
import sys
import numpy as np
import scipy
from scipy.optimize import brentq
from scipy.stats import chi2, multivariate_normal, norm

ALPHA, LOOKS, TOLERANCE, PILOT = 0.05, [30, 60, 120], 0.03, 10
EDGE = np.log1p(TOLERANCE)


def levels(shares):
    """Two-sided levels of looks at these shares: alpha * ln(1 + (e - 1) t) is spent by share t."""
    bounds = []
    for k, share in enumerate(shares):
        spent = ALPHA * np.log1p((np.e - 1) * share)

        def inside(bound):
            limits = np.array(bounds + [bound])
            if k == 0:
                return norm.cdf(bound) - norm.cdf(-bound)
            times = np.array(shares[: k + 1])
            cov = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
            return multivariate_normal(np.zeros(k + 1), cov, abseps=1e-9, releps=1e-9, maxpts=2_000_000, seed=1).cdf(
                limits, lower_limit=-limits)

        bounds.append(brentq(lambda b: 1 - inside(b) - spent, 0.5, 6, xtol=1e-7))
    return [float(2 * norm.sf(b)) for b in bounds]


LEVELS = {p: dict(zip([x for x in LOOKS if x <= p], levels([x / p for x in LOOKS if x <= p]))) for p in LOOKS}


def counted(n):
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1
    for rank in range(1, n + 1):
        with_rank = ways.copy()
        with_rank[rank:] += ways[:-rank]
        ways = with_rank / 2
    return np.cumsum(ways)


COUNTED = {n: counted(n) for n in LOOKS}


def least(n, chance):
    """The greatest sum that is not exceeded with at most this chance."""
    return np.searchsorted(COUNTED[n], chance, side="right") - 1


def judge(logs, level):
    n = logs.shape[1]
    total = n * (n + 1) // 2

    def above(shifted):
        ranks = np.argsort(np.argsort(np.abs(shifted), axis=1), axis=1) + 1
        return (ranks * (shifted > 0)).sum(axis=1)

    beyond_high, beyond_low = above(logs - EDGE), above(logs + EDGE)
    slower = total - beyond_high <= least(n, level / 2)
    faster = beyond_low <= least(n, level / 2)
    same = (beyond_high <= least(n, level)) & (total - beyond_low <= least(n, level))
    return slower, faster, same


def qn(logs):
    n = logs.shape[1]
    i, j = np.triu_indices(n, 1)
    half = n // 2 + 1
    kth = half * (half - 1) // 2
    # 10 / 13.8: for ten values.
    return np.sort(np.abs(logs[:, i] - logs[:, j]), axis=1)[:, kth - 1] * 2.21914 * 10 / 13.8


def compare(base, head, control):
    """What each comparison comes to: call, certificate, blocks, planned."""
    logs, machine = np.log(head / base), np.log(control / base)
    reach = norm.isf(ALPHA) + norm.isf(0.1)
    limit = (PILOT - 1) / chi2.ppf(0.2, PILOT - 1)
    needed = (reach * qn(machine[:, :PILOT]) / EDGE) ** 2 * limit / 0.955
    planned = np.where(needed <= 30, 30, np.where(needed <= 60, 60, 120))
    count = len(base)
    done = np.zeros(count, bool)
    out = [dict() for _ in range(count)]
    for blocks in LOOKS:
        for plan in [p for p in LOOKS if p >= blocks]:
            now = np.where(~done & (planned == plan))[0]
            if not len(now):
                continue
            level = LEVELS[plan][blocks]
            verdicts = judge(logs[now, :blocks], level)
            certificates = judge(machine[now, :blocks], level)
            for place, index in enumerate(now):
                call, certificate = (
                    next((name for name, hit in zip(["regressed", "improved", "equivalent"], found) if hit[place]),
                         "inconclusive") for found in (verdicts, certificates))
                decided = certificate in ("regressed", "improved") or "inconclusive" not in (call, certificate)
                last = blocks == plan
                if last and not decided and certificate == "inconclusive" and blocks < LOOKS[-1]:
                    planned[index] = -LOOKS[LOOKS.index(blocks) + 1]
                    last = False
                if decided or last:
                    done[index] = True
                    out[index] = {"call": call, "certificate": certificate, "blocks": blocks, "planned": plan}
        planned = np.abs(planned)
    assert done.all()
    return out


rng = np.random.default_rng(20261121)
NOISE = {
    "normal, 1 %": lambda n: rng.normal(0, 0.01, n),
    "normal, 3 %": lambda n: rng.normal(0, 0.03, n),
    "normal, 6 %": lambda n: rng.normal(0, 0.06, n),
    "Student's t of 3 degrees, 2 %": lambda n: 0.02 * rng.standard_t(3, n),
    "Student's t of 3 degrees, 4 %": lambda n: 0.04 * rng.standard_t(3, n),
    "two modes 28 % apart, 3 in 10": lambda n: rng.normal(0, 0.03, n) + 0.28 * (rng.random(n) < 0.3),
    "log-normal, 2 %": lambda n: 0.02 * np.exp(rng.normal(0, 1, n)),
    "log-normal, 4 %": lambda n: 0.04 * np.exp(rng.normal(0, 1, n)),
}
CHANGES = {"none": 1.0, "the tolerance": 1 + TOLERANCE, "10 %": 1.1}


def draw(noise, change, count):
    arms = [1e6 * np.exp(NOISE[noise]((count, LOOKS[-1]))) for _ in range(3)]
    arms[1] = arms[1] * change
    return arms


cases = []
for noise in NOISE:
    for change in CHANGES:
        base, head, control = (np.round(a) for a in draw(noise, CHANGES[change], 1))
        cases.append({"noise": noise, "change": change, "base": base[0].tolist(), "head": head[0].tolist(),
                      "control": control[0].tolist(), **compare(base, head, control)[0]})
simulated = []
count = int(sys.argv[1])
for noise in NOISE:
    for change in CHANGES:
        found = compare(*draw(noise, CHANGES[change], count))
        valid = [f for f in found if f["certificate"] == "equivalent"]
        simulated.append({
            "noise": noise, "change": change, "comparisons": count,
            "certified": len(valid) / count,
            "told": sum(f["call"] in ("regressed", "improved") for f in valid) / count,
            "same": sum(f["call"] == "equivalent" for f in valid) / count,
            "blocks": sum(f["blocks"] for f in found) / count})
json.dump({"scipy": scipy.__version__, "numpy": np.__version__, "seed": 20261121,
           "levels": {str(p): list(v.values()) for p, v in LEVELS.items()},
           "cases": cases, "simulated": simulated}, sys.stdout, indent=0)
