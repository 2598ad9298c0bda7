"""The same comparison with numpy and scipy: two files of little-endian doubles (values, then times).

Prints, as JSON, quantiles and the rank sum for checking, and the seconds it took. The block
bootstrap draws REPLICATES times; the caller scales.
"""

import json
import sys
import time

import numpy
from scipy import stats

WINDOWS = 100
REPLICATES = int(sys.argv[3])


def read(path):
    both = numpy.fromfile(path, dtype="<f8")
    half = len(both) // 2
    return both[:half], both[half:]


def windows(values, times):
    span = times.max() - times.min()
    index = numpy.minimum(((times - times.min()) / span * WINDOWS).astype(int), WINDOWS - 1)
    return [values[index == w] for w in range(WINDOWS)]


sides = [read(path) for path in sys.argv[1:3]]
begun = time.perf_counter()
(b, c) = [values for values, _ in sides]
p99 = [float(numpy.quantile(values, 0.99)) for values in (b, c)]
test = stats.mannwhitneyu(c, b, method="asymptotic")
fixed = time.perf_counter() - begun
begun = time.perf_counter()
draw = numpy.random.default_rng(1)
cut = [windows(values, times) for values, times in sides]
differences = []
for _ in range(REPLICATES):
    quantiles = [
        numpy.quantile(numpy.concatenate([side[w] for w in draw.integers(0, WINDOWS, WINDOWS)]), 0.99)
        for side in cut
    ]
    differences.append(quantiles[1] - quantiles[0])
drawn = time.perf_counter() - begun
low, high = numpy.quantile(differences, [0.025, 0.975])
print(json.dumps({"p99": p99, "u1": float(test.statistic), "low": float(low), "high": float(high),
                  "fixed_s": fixed, "replicates_s": drawn}))
