"""Writes packages/model/src/beat-variability.fixtures.json: heartbeat intervals, and their RMSSD by NeuroKit2.

Applies the artifact rule of beat-variability.ts with numpy, and lets NeuroKit2 compute the RMSSD of the remaining
intervals with their times, so that NeuroKit2 decides which intervals are successive.

    python3 -m venv /tmp/neurokit && /tmp/neurokit/bin/pip install neurokit2==0.3.0
    /tmp/neurokit/bin/python scripts/rmssd-fixtures.py
"""

import json
import math
import pathlib
import random

import neurokit2 as nk
import numpy as np

TARGET = pathlib.Path(__file__).parent.parent / "packages/model/src/beat-variability.fixtures.json"
MISSED = None


def rhythm(rng, count, mean, breathing, noise, step=0.1):
    """Sinus rhythm with a breathing arrhythmia. Intervals in milliseconds, rounded to the step of the sensor."""
    period = rng.uniform(3, 7)
    wave = [mean + breathing * math.sin(2 * math.pi * i / period) + rng.gauss(0, noise) for i in range(count)]
    return [round(round(interval / step) * step, 1) for interval in wave]


def with_ectopic(rng, intervals, count):
    """Replaces pairs of intervals with an early beat and its pause."""
    for at in rng.sample(range(1, len(intervals) - 2), count):
        total = intervals[at] + intervals[at + 1]
        intervals[at] = round(total * rng.uniform(0.28, 0.36), 1)
        intervals[at + 1] = round(total - intervals[at], 1)
    return intervals


def with_missed(rng, intervals, count):
    for at in rng.sample(range(len(intervals)), count):
        intervals[at] = MISSED
    return intervals


def reference(intervals):
    """Returns the RMSSD of the intervals, or None if too few remain."""
    raw = np.array([np.nan if interval is MISSED else interval for interval in intervals], dtype=float)
    # A missed beat takes as long as two to four intervals.
    time = np.cumsum(np.where(np.isnan(raw), 3000.0, raw)) / 1000
    before = np.concatenate([[np.nan], raw[:-1]])
    with np.errstate(invalid="ignore"):
        jumps = np.abs(raw - before) / before > 0.2
        clean = np.where((raw < 300) | (raw > 2000) | jumps, np.nan, raw)
    accepted = np.isfinite(clean)
    differences = int(np.sum(accepted[1:] & accepted[:-1]))
    if differences < 20 or accepted.sum() < 0.8 * np.isfinite(raw).sum() or len(intervals) > 1000:
        return None
    return float(nk.hrv_time({"RRI": clean, "RRI_Time": time})["HRV_RMSSD"].iloc[0])


def cases():
    rng = random.Random(1996)
    for mean in (430, 600, 850, 1100, 1500):
        yield f"clean, {mean} ms", rhythm(rng, 60, mean, mean * 0.03, mean * 0.015)
    for breathing in (5, 40, 90, 130):
        yield f"breathing arrhythmia of {breathing} ms", rhythm(rng, 60, 1000, breathing, 10)
    for count in (1, 2, 4, 5):
        yield f"{count} ectopic beats", with_ectopic(rng, rhythm(rng, 64, 900, 25, 12), count)
    for count in (1, 5, 15, 25):
        yield f"{count} missed beats", with_missed(rng, rhythm(rng, 70, 900, 25, 12), count)
    for step in (1, 10):
        yield f"resolution of {step} ms", rhythm(rng, 60, 950, 30, 10, step)
    for count in (1, 3):
        mixed = with_ectopic(rng, rhythm(rng, 80, 800, 20, 15), count)
        yield f"{count} ectopic and 6 missed beats", with_missed(rng, mixed, 6)
    yield "out of range at both ends", [250, *rhythm(rng, 50, 320, 0, 12), *rhythm(rng, 50, 1990, 0, 8)]
    yield "change of the rate", [*rhythm(rng, 40, 1000, 15, 8), *rhythm(rng, 40, 700, 15, 8)]
    yield "too few", rhythm(rng, 21, 900, 20, 10)[:20]
    yield "just enough", rhythm(rng, 21, 900, 20, 10)
    yield "too many artifacts", with_ectopic(rng, rhythm(rng, 60, 900, 20, 10), 14)
    yield "constant", [1000] * 30
    yield "1,000 intervals", rhythm(rng, 1000, 900, 20, 10)
    yield "1,001 intervals", rhythm(rng, 1001, 900, 20, 10)


def main():
    written = [
        {"name": name, "rmssd": reference(intervals), "intervals": intervals} for name, intervals in cases()
    ]
    rows = ",\n".join(json.dumps(case) for case in written)
    TARGET.write_text(f'{{ "neurokit2": "{nk.__version__}", "cases": [\n{rows}\n] }}\n')
    for case in written:
        print(f"{case['name']}: {case['rmssd']}")


main()
