# SPDX-License-Identifier: MIT
"""What docs/statistics.md says of samples, in plain and slow Python: nothing is shared with the library.

summarize(samples, resolution) -> dict by keys of the result file; None: not known, or not noticed."""
import math
import statistics

PLAIN_MAX = 2000  # samples that these plain algorithms are quick enough for


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def at_rank(values, rank):
    below = min(math.floor(rank), len(values) - 1)
    above = min(below + 1, len(values) - 1)
    return values[below] + (rank - below) * (values[above] - values[below])


def quantile(values, p):
    return at_rank(values, p * (len(values) - 1))


def lower_rank(n, p):
    """Nyblom 1992; for p = 1/2 it is Hettmansperger and Sheather 1986. Counts from 0."""
    def probability(k):
        return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
                        + k * math.log(p) + (n - k) * math.log(1 - p))
    below, d = 0.0, 0
    while below + probability(d) <= 0.025:
        below += probability(d)
        d += 1
    if d == 0:
        return None
    above = below + probability(d)
    odds = (above - 0.025) / (0.025 - below) * d * (1 - p) / ((n - d) * p)
    return d - 1 + 1 / (1 + odds)


def interval(values, p, inflation, resolution):
    n = len(values)
    from_above = lower_rank(n, 1 - p)
    if from_above is None:
        return None
    from_below = lower_rank(n, p)
    if from_below is None:
        return None
    own = p * (n - 1)
    low = own - (own - from_below) * math.sqrt(inflation)
    high = own + (n - 1 - from_above - own) * math.sqrt(inflation)
    if low < 0 or high > n - 1:
        return None
    return [max(0, at_rank(values, low) - resolution / 2), at_rank(values, high) + resolution / 2]


LAGS = 128  # summed at most; what reaches further is summed in means of two


def inflation_of(series):
    mean = sum(series) / len(series)
    series, size = [x - mean for x in series], 1
    variance = sum(x * x for x in series) / len(series)
    if not variance > 0:
        return 1.0
    while True:
        n = len(series)

        def covariance(lag):
            return sum(a * b for a, b in zip(series[lag:], series))
        total, previous, lags = 0.0, math.inf, 0
        for lag in range(0, min(n, LAGS), 2):
            previous = min(previous, covariance(lag) + covariance(lag + 1))
            if previous <= 0:
                break
            total += previous
            lags = lag + 1
        if lags < LAGS - 1 or n < 2 * LAGS:
            break
        series, size = [(a + b) / 2 for a, b in zip(series[::2], series[1::2])], 2 * size
    inflation = (2 * total - covariance(0)) / n * size / variance
    return max(1.0, inflation * (1 + (2 * lags + 1) / n))


def sides(samples, x):
    return [(s > x) - (s < x) for s in samples]


def kept_within(distances, mad):
    limit = 1.5 * 1.4826 * mad if mad > 0 else math.inf
    return [max(-limit, min(limit, x)) for x in distances]


def visible_resolution(values):
    steps = [b - a for a, b in zip(values, values[1:])]
    different = [step for step, b in zip(steps, values[1:]) if step > 1e-9 * abs(b)]
    return min(different) if different and len(different) < len(steps) else 0


def ranks(samples):
    values = sorted(samples)
    places = {}
    for i, x in enumerate(values):
        places.setdefault(x, []).append(i)
    return [sum(places[x]) / len(places[x]) for x in samples]


def find_drift(samples, resolution):
    """(change, inflation) or None."""
    n = len(samples)
    third, middle = n // 3, (n - 1) / 2
    slope = (median(samples[n - third:]) - median(samples[:third])) / (n - third)
    rest = [x - slope * (i - middle) for i, x in enumerate(samples)]
    center = median(rest)
    distances = [x - center for x in rest]
    inflation = inflation_of(kept_within(distances, median([abs(x) for x in distances])))
    rank = [r - middle for r in ranks(samples)]
    time = [i - middle for i in range(n)]
    squares = sum(r * r for r in rank) * sum(t * t for t in time)
    correlation = sum(r * t for r, t in zip(rank, time)) / math.sqrt(squares) if squares else 0
    variance = inflation * (1 + 10 * (inflation - 1) / n) / (n - 1)
    change = slope * (n - 1)
    if correlation * change > 0 and abs(correlation) > 2.2 * math.sqrt(variance) and \
            abs(change) > max(resolution, 0.005 * median(samples)):
        return change, inflation
    return None


def find_clusters(values, resolution):
    """(low, high, size of the lower group, lowest of the upper group) or None."""
    n = len(values)
    least = max(4, n // 20)

    def split(k):
        return median(values[:k]), median(values[k:]), k, values[k]

    def deviation(group):
        return (quantile(group, 0.75) - quantile(group, 0.25)) / 1.349

    def separation(low, high, k):
        distance = high - low
        if distance < 2.5 * resolution or distance <= 1e-9 * abs(high):
            return 0
        return distance / max(deviation(values[:k]) + deviation(values[k:]), resolution / 2, 1e-9 * distance)

    def valley(low, high):
        width = (high - low) / 6

        def around(x):
            return sum(x - width <= v < x + width for v in values)
        return 2 * around((low + high) / 2) < min(around(low), around(high))

    enough = 1.5 + 60 / n
    best, farthest = None, enough
    for k in range(least, n - least + 1):
        if values[k] > values[k - 1]:
            low, high, _, _ = split(k)
            if separation(low, high, k) >= farthest and valley(low, high):
                best, farthest = split(k), separation(low, high, k)
    if not best:
        return None
    for _ in range(10):
        k = sum(v < (best[0] + best[1]) / 2 for v in values)
        if k < least or n - k < least:
            return None
        if k == best[2]:
            break
        best = split(k)
    low, high, k, _ = best
    return best if separation(low, high, k) >= enough and valley(low, high) else None


def slow(samples, levels):
    _, _, count, first = levels
    n = len(samples)
    upper = [x >= first for x in samples]
    switches = sum(a != b for a, b in zip(upper, upper[1:]))
    leaving = switches / 2 * (1 / count + 1 / (n - count))
    inflation = (2 - leaving) / leaving
    return inflation > 2 and n / inflation < 50


def count_outliers(values, levels, center, resolution):
    lower, upper = (values[:levels[2]], values[levels[2]:]) if levels else (values, values)
    least = max(resolution, 1e-9 * abs(center))

    def spread(group):
        return max(least, quantile(group, 0.75) - quantile(group, 0.25))
    low = quantile(lower, 0.25) - 3 * spread(lower)
    high = quantile(upper, 0.75) + 3 * spread(upper)
    return sum(v < low for v in values), sum(v > high for v in values)


def describe(values):
    """What does not depend on the order of the samples, nor on the clock."""
    center = median(values)
    return {
        "min_ns": values[0],
        "median_ns": center,
        "mean_ns": statistics.fmean(values),
        "max_ns": values[-1],
        "stddev_ns": statistics.stdev(values) if len(values) >= 2 else None,
        "mad_ns": median([abs(x - center) for x in values]),
        "p95_ns": quantile(values, 0.95),
        "p99_ns": quantile(values, 0.99),
    }


def summarize(samples, resolution=0):
    samples = [float(x) for x in samples]
    values, n, warnings = sorted(samples), len(samples), []
    known = describe(values)
    if n > PLAIN_MAX:
        return known
    center, mad = known["median_ns"], known["mad_ns"]
    resolution = resolution if resolution and resolution > 0 else visible_resolution(values)
    levels = find_clusters(values, resolution) if n >= 20 else None
    drift = find_drift(samples, resolution) if n >= 30 else None
    inflation = None
    if n >= 20:
        distances = kept_within([x - center for x in samples], mad)
        inflation = drift[1] if drift else max(inflation_of(distances), inflation_of(sides(samples, center)))
        if inflation > 1 + 10 / math.sqrt(n):
            warnings.append("autocorrelated")
    warnings += ["drift"] * bool(drift) + ["bimodal"] * bool(levels)

    def interval_of(p, value, inflation=None):
        if drift or (levels and slow(samples, levels)):
            return None
        if n >= 20 and inflation is None:
            inflation = inflation_of(sides(samples, value))
        return interval(values, p, inflation or 1, resolution)
    median_interval = interval_of(0.5, center, inflation)
    if median_interval and resolution > 0.001 * center and median_interval[1] - median_interval[0] < 2.001 * resolution:
        warnings.append("coarse_clock")
    outliers = count_outliers(values, levels, center, resolution)
    return {
        **known,
        "ci95_ns": median_interval,
        "p95_ci95_ns": interval_of(0.95, known["p95_ns"]),
        "p99_ci95_ns": interval_of(0.99, known["p99_ns"]),
        "robust_stddev_ns": math.sqrt((1.4826 * mad) ** 2 + resolution * resolution / 12) if n >= 2 else None,
        "resolution_ns": resolution or None,
        "outliers": {"low": outliers[0], "high": outliers[1]},
        "inflation": inflation,
        "drift": drift[0] / center if drift else None,
        "clusters": {"low_ns": levels[0], "high_ns": levels[1], "high_share": (n - levels[2]) / n} if levels else None,
        "warnings": warnings,
    }
