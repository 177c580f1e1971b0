import { MS_PER_MINUTE, NO_OFFSET } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import type { ArchivedDay } from '../../facts/archived/archived-day.js';
import { allocateRows } from '../../facts/samples/sample-rows.js';
import { heartRateMinutesOf, stepMinutesOf } from './day-minutes.js';
import type { DaySamples } from './day-samples.js';
import { dayValueOf } from './day-value.js';

interface DaySample {
  /** Minutes since local midnight. */
  minute: number;
  value: number;
  minutes?: number;
  kind?: number;
  /** Displayed time, if it differs because the clock was set back. */
  clockMinute?: number;
}

function day(...samples: DaySample[]): DaySamples {
  const rows = allocateRows(samples.length);
  samples.forEach(({ minute, value, minutes, kind }, row) => {
    rows.startMs[row] = minute * MS_PER_MINUTE;
    rows.value[row] = value;
    rows.durationMs[row] = minutes === undefined ? Number.NaN : minutes * MS_PER_MINUTE;
    rows.offsetMinutes[row] = NO_OFFSET;
    rows.kind[row] = kind ?? 0;
  });
  const positions = samples.map((_, row) => row);
  const localMs = samples.map(({ minute, clockMinute = minute }) => clockMinute * MS_PER_MINUTE);
  return { typeId: 1, sourceId: 1, day: 0, rows, positions, localMs };
}

/** One archived sample at 10:00. */
const ARCHIVED: ArchivedDay = {
  typeId: 1,
  sourceId: 1,
  day: 0,
  sampleSum: 100,
  sampleMin: 100,
  sampleMax: 100,
  sampleCount: 1,
  lastValue: 100,
  lastMs: 600 * MS_PER_MINUTE,
  minutes: '0'.repeat(1440),
  heartRate: undefined,
  activeMinutes: undefined,
};

function minutesSet(bits: string | undefined): number[] {
  return [...(bits ?? '')].flatMap((bit, minute) => (bit === '1' ? [minute] : []));
}

describe('heart rate over a day', () => {
  it('extends a reading to the next reading, by at most five minutes', () => {
    const result = heartRateMinutesOf(
      day({ minute: 600, value: 100 }, { minute: 602, value: 120 }, { minute: 660, value: 100 }),
    );
    expect(result?.bins).toEqual([200, 240]);
    expect(result?.seconds).toEqual([120 + 300, 300]);
    expect(minutesSet(result?.minutes)).toEqual([600, 601, 602, 603, 604, 605, 606, 660, 661, 662, 663, 664]);
  });

  it('counts a reading for its interval or until midnight', () => {
    const result = heartRateMinutesOf(day({ minute: 0, value: 80, minutes: 3 }, { minute: 1438, value: 90 }));
    expect(result?.bins).toEqual([160, 180]);
    expect(result?.seconds).toEqual([180, 120]);
  });

  it('counts an hourly mean as five minutes but covers its hour', () => {
    const result = heartRateMinutesOf(day({ minute: 600, value: 120, minutes: 60 }));
    expect(result).toMatchObject({ bins: [240], seconds: [300] });
    expect(minutesSet(result?.minutes)).toEqual([...Array(60).keys()].map((minute) => 600 + minute));
  });

  it.each([
    [
      'the mean of an hour and two readings inside it',
      [
        [600, 1, 130],
        [600, 60, 120],
        [630, 30, 130],
      ],
      [240, 360],
    ],
    [
      'a short reading inside a longer one',
      [
        [600, 4, 120],
        [601, 1, 130],
      ],
      [180, 60],
    ],
    [
      'two readings that overlap by a minute',
      [
        [600, 3, 120],
        [602, 3, 130],
      ],
      [120, 180],
    ],
    [
      'a long reading that overlaps three others',
      [
        [600, 5, 120],
        [601, 1, 130],
        [603, 4, 130],
      ],
      [120, 300],
    ],
    [
      'a reading without an interval inside one with an interval',
      [
        [600, 5, 120],
        [601, undefined, 130],
        [603, 1, 130],
      ],
      [60 + 60, 180],
    ],
    [
      'two readings of the same interval',
      [
        [600, 5, 120],
        [600, 5, 130],
      ],
      [300, 0],
    ],
  ] as const)('counts no instant twice in %s', (_, readings, seconds) => {
    const result = heartRateMinutesOf(day(...readings.map(([minute, minutes, value]) => ({ minute, minutes, value }))));
    expect(result?.bins).toEqual([240, 260]);
    expect(result?.seconds).toEqual(seconds);
  });

  it('counts both passes of an hour that a clock change repeats', () => {
    const result = heartRateMinutesOf(
      day(
        { minute: 120, value: 100 },
        { minute: 123, value: 110 },
        { minute: 180, clockMinute: 120, value: 120 },
        { minute: 183, clockMinute: 123, value: 130 },
      ),
    );
    expect(result?.bins).toEqual([200, 220, 240, 260]);
    expect(result?.seconds).toEqual([180, 300, 180, 300]);
    expect(minutesSet(result?.minutes)).toEqual([120, 121, 122, 123, 124, 125, 126, 127]);
  });

  it('distinguishes a heart rate of 119.5 from 119 and 120', () => {
    const result = heartRateMinutesOf(
      day({ minute: 1, value: 119 }, { minute: 2, value: 119.5 }, { minute: 3, value: 120 }),
    );
    expect(result?.bins).toEqual([238, 239, 240]);
  });

  it('counts late readings only outside archived minutes', () => {
    const archived = { ...ARCHIVED, heartRate: heartRateMinutesOf(day({ minute: 600, value: 100, minutes: 3 })) };
    const result = heartRateMinutesOf(day({ minute: 602, value: 120, minutes: 3 }), archived);
    expect(result?.bins).toEqual([200, 240]);
    expect(result?.seconds).toEqual([180, 120]);
    expect(minutesSet(result?.minutes)).toEqual([600, 601, 602, 603, 604]);
  });
});

describe('steps over a day', () => {
  it('make all fifteen minutes of a sample with 900 steps active', () => {
    const result = stepMinutesOf(day({ minute: 480, value: 900, minutes: 15 }));
    expect(minutesSet(result?.active)).toEqual([...Array(15).keys()].map((minute) => 480 + minute));
    expect(result?.tracked).toBe(result?.active);
  });

  it('make a minute active from 30 steps and covered from 0', () => {
    const result = stepMinutesOf(day({ minute: 1, value: 29 }, { minute: 2, value: 30 }, { minute: 3, value: 0 }));
    expect(minutesSet(result?.tracked)).toEqual([1, 2, 3]);
    expect(minutesSet(result?.active)).toEqual([2]);
  });

  it('add no minutes from a daily total', () => {
    expect(stepMinutesOf(day({ minute: 0, value: 9000, kind: 1 }))).toBeUndefined();
  });
});

describe('the value of a day', () => {
  it('tracks samples, totals and aggregates separately', () => {
    const value = dayValueOf(
      day(
        { minute: 0, value: 9000, kind: 1 },
        { minute: 0, value: 20 },
        { minute: 5, value: 7, kind: 2 },
        { minute: 9, value: 30 },
      ),
    );
    expect(value).toMatchObject({
      sampleSum: 50,
      sampleMin: 20,
      sampleMax: 30,
      lastValue: 30,
      lastMs: 9 * MS_PER_MINUTE,
      totalSum: 9000,
      aggregateSum: 7,
      sampleCount: 2,
      totalCount: 1,
      aggregateCount: 1,
    });
  });

  it('uses the later of the last archived value and last late value', () => {
    expect(dayValueOf(day({ minute: 599, value: 7 }), ARCHIVED)).toMatchObject({
      lastMs: 600 * MS_PER_MINUTE,
      lastValue: 100,
    });
    expect(dayValueOf(day({ minute: 601, value: 7 }), ARCHIVED)).toMatchObject({
      lastMs: 601 * MS_PER_MINUTE,
      lastValue: 7,
    });
  });

  it('counts each covered minute once, up to midnight', () => {
    const value = dayValueOf(
      day(
        { minute: 10, value: 1, minutes: 10 },
        { minute: 15, value: 1, minutes: 10 },
        { minute: 1439, value: 1, minutes: 5 },
      ),
    );
    expect(value.coveredMinutes).toBe(16);
  });
});
