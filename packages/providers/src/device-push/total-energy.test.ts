import { MS_PER_DAY, type SourceIdentity, seriesTypeByCode } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { basalOfDay, energyOfTotals, type TotalEnergy } from './total-energy.js';

const ACTIVE = seriesTypeByCode('energy').id;
const BASAL = seriesTypeByCode('basal_energy').id;
const BAND: SourceIdentity = { provider: 'google', deviceModel: 'Band 3', writer: 'com.example.fit' };
const PHONE: SourceIdentity = { provider: 'google', deviceModel: 'Pixel 9', writer: 'com.example.fit' };

/** Half an hour's amount, in UTC by default. */
function halfHour(start: string, kcal: number, source = BAND, offsetMinutes = 0): TotalEnergy {
  const startMs = Date.parse(start);
  return { type: 'TOTAL', source, startMs, endMs: startMs + 1_800_000, offsetMinutes, kcal };
}
const NINE = '2026-11-19T09:00:00Z';
const TEN = '2026-11-19T10:00:00Z';
/** 1,440 kcal per day: 30 in half an hour. */
const rate = (source = BAND, at = NINE, offsetMinutes = 0) => basalOfDay(halfHour(at, 0, source, offsetMinutes), 1_440);
const reported = (...given: Parameters<typeof energyOfTotals>) =>
  energyOfTotals(...given).map(({ samples }) => samples.map(({ typeId, value }) => [typeId, value]));

describe('total energy with active energy of its interval and source', () => {
  it('yields only the remaining basal energy', () => {
    expect(reported([halfHour(NINE, 115)], [halfHour(NINE, 80)], [])).toEqual([[[BASAL, 35]]]);
    expect(reported([halfHour(NINE, 115)], [halfHour(NINE, 80)], [rate()])).toEqual([[[BASAL, 35]]]);
  });

  it('yields nothing if active energy exceeds the total, zero if equal', () => {
    expect(reported([halfHour(NINE, 79)], [halfHour(NINE, 80)], [])).toEqual([[]]);
    expect(reported([halfHour(NINE, 80)], [halfHour(NINE, 80)], [])).toEqual([[[BASAL, 0]]]);
  });

  it('ignores active energy of another source or with another end', () => {
    expect(reported([halfHour(NINE, 115)], [halfHour(NINE, 80, PHONE)], [])).toEqual([[]]);
    const { endMs, ...longer } = halfHour(NINE, 80);
    expect(reported([halfHour(NINE, 115)], [{ ...longer, endMs: endMs + 1 }], [])).toEqual([[]]);
  });
});

describe('total energy with the basal rate of its day', () => {
  it('yields active energy above the basal share, in a separate source', () => {
    const [{ samples } = { samples: [] }] = energyOfTotals([halfHour(NINE, 115)], [], [rate()]);
    const source = { ...BAND, writer: 'com.example.fit/total energy' };
    const day = { startMs: Date.parse('2026-11-19T00:00:00Z'), durationMs: MS_PER_DAY, sampleKind: 'daily_total' };
    expect(samples).toEqual([
      expect.objectContaining({ source, typeId: ACTIVE, startMs: Date.parse(NINE), durationMs: 1_800_000, value: 85 }),
      expect.objectContaining({ source, typeId: BASAL, ...day, value: 1_440 }),
    ]);
  });

  it('yields nothing if the source has active energy at another time', () => {
    expect(reported([halfHour(NINE, 115)], [halfHour(TEN, 20)], [rate()])).toEqual([[]]);
    expect(reported([halfHour(NINE, 115)], [halfHour(TEN, 20, PHONE)], [rate()])).toEqual([
      [
        [ACTIVE, 85],
        [BASAL, 1_440],
      ],
    ]);
  });

  it('yields nothing if the total is below its basal share', () => {
    expect(reported([halfHour(NINE, 29)], [], [rate()])).toEqual([[]]);
    expect(reported([halfHour(NINE, 30)], [], [rate()])).toEqual([
      [
        [ACTIVE, 0],
        [BASAL, 1_440],
      ],
    ]);
  });

  it('ignores the basal rate of another source or local day', () => {
    expect(reported([halfHour(NINE, 115)], [], [rate(PHONE)])).toEqual([[]]);
    expect(reported([halfHour(NINE, 115)], [], [rate(BAND, '2026-11-18T23:59:00Z')])).toEqual([[]]);
    // At UTC-10:00, 09:00 UTC is still the evening of the 18th.
    const west = -600;
    expect(reported([halfHour(NINE, 115, BAND, west)], [], [rate(BAND, '2026-11-19T10:30:00Z', west)])).toEqual([[]]);
    expect(reported([halfHour(NINE, 115, BAND, west)], [], [rate(BAND, '2026-11-18T12:00:00Z', west)])).toHaveLength(1);
    expect(reported([halfHour(NINE, 115, BAND, west)], [], [rate(BAND, '2026-11-18T12:00:00Z', west)])[0]).toHaveLength(
      2,
    );
  });
});

it.each([
  [0, '2026-11-19T00:00:00.000Z'],
  [-600, '2026-11-18T10:00:00.000Z'],
  [780, '2026-11-18T11:00:00.000Z'],
])('a basal rate at 09:00 UTC, offset %i, starts at %s', (offset, begin) => {
  const { startMs, value, sampleKind } = rate(BAND, NINE, offset);
  expect(new Date(startMs).toISOString()).toBe(begin);
  expect({ value, sampleKind }).toEqual({ value: 1_440, sampleKind: 'daily_total' });
});
