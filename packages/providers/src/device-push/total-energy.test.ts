import { MS_PER_DAY, type SourceIdentity, seriesTypeByCode } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { basalOfDay, energyOfTotals, type TotalEnergy } from './total-energy.js';

const ACTIVE = seriesTypeByCode('energy').id;
const BASAL = seriesTypeByCode('basal_energy').id;
const BAND: SourceIdentity = { provider: 'google', deviceModel: 'Band 3', writer: 'com.example.fit' };
const PHONE: SourceIdentity = { provider: 'google', deviceModel: 'Pixel 9', writer: 'com.example.fit' };

/** An amount of half an hour, in UTC unless said otherwise. */
function halfHour(start: string, kcal: number, source = BAND, offsetMinutes = 0): TotalEnergy {
  const startMs = Date.parse(start);
  return { type: 'TOTAL', source, startMs, endMs: startMs + 1_800_000, offsetMinutes, kcal };
}
const NINE = '2026-11-19T09:00:00Z';
const TEN = '2026-11-19T10:00:00Z';
/** 1,440 kcal a day: 30 in half an hour. */
const rate = (source = BAND, at = NINE, offsetMinutes = 0) => basalOfDay(halfHour(at, 0, source, offsetMinutes), 1_440);
const reported = (...given: Parameters<typeof energyOfTotals>) =>
  energyOfTotals(...given).map(({ samples }) => samples.map(({ typeId, value }) => [typeId, value]));

describe('a total beside active energy of the same interval and source', () => {
  it('a total beside active energy of the same interval and source gives the basal energy that is left, and no active energy of its own', () => {
    expect(reported([halfHour(NINE, 115)], [halfHour(NINE, 80)], [])).toEqual([[[BASAL, 35]]]);
    expect(reported([halfHour(NINE, 115)], [halfHour(NINE, 80)], [rate()])).toEqual([[[BASAL, 35]]]);
  });

  it('a total beside active energy of the same interval gives nothing when the active energy is more than all, and none left when it is all', () => {
    expect(reported([halfHour(NINE, 79)], [halfHour(NINE, 80)], [])).toEqual([[]]);
    expect(reported([halfHour(NINE, 80)], [halfHour(NINE, 80)], [])).toEqual([[[BASAL, 0]]]);
  });

  it('a total beside active energy of another source, or of another end, gives nothing', () => {
    expect(reported([halfHour(NINE, 115)], [halfHour(NINE, 80, PHONE)], [])).toEqual([[]]);
    const { endMs, ...longer } = halfHour(NINE, 80);
    expect(reported([halfHour(NINE, 115)], [{ ...longer, endMs: endMs + 1 }], [])).toEqual([[]]);
  });
});

describe('a total beside the basal rate of its day', () => {
  it('a total beside the basal rate of its day gives the active energy above the share of its time, under a source of its own with that day\u2019s basal energy', () => {
    const [{ samples } = { samples: [] }] = energyOfTotals([halfHour(NINE, 115)], [], [rate()]);
    const source = { ...BAND, writer: 'com.example.fit/total energy' };
    const day = { startMs: Date.parse('2026-11-19T00:00:00Z'), durationMs: MS_PER_DAY, sampleKind: 'daily_total' };
    expect(samples).toEqual([
      expect.objectContaining({ source, typeId: ACTIVE, startMs: Date.parse(NINE), durationMs: 1_800_000, value: 85 }),
      expect.objectContaining({ source, typeId: BASAL, ...day, value: 1_440 }),
    ]);
  });

  it('a total beside the basal rate of its day gives nothing where the source has active energy at another time: the two would be added up', () => {
    expect(reported([halfHour(NINE, 115)], [halfHour(TEN, 20)], [rate()])).toEqual([[]]);
    expect(reported([halfHour(NINE, 115)], [halfHour(TEN, 20, PHONE)], [rate()])).toEqual([
      [
        [ACTIVE, 85],
        [BASAL, 1_440],
      ],
    ]);
  });

  it('a total beside the basal rate of its day gives nothing, not even the basal energy, when it is less than the share of its time', () => {
    expect(reported([halfHour(NINE, 29)], [], [rate()])).toEqual([[]]);
    expect(reported([halfHour(NINE, 30)], [], [rate()])).toEqual([
      [
        [ACTIVE, 0],
        [BASAL, 1_440],
      ],
    ]);
  });

  it('a total beside the basal rate of another source or another local day gives nothing', () => {
    expect(reported([halfHour(NINE, 115)], [], [rate(PHONE)])).toEqual([[]]);
    expect(reported([halfHour(NINE, 115)], [], [rate(BAND, '2026-11-18T23:59:00Z')])).toEqual([[]]);
    // 09:00 UTC is still the evening of the 18th ten hours west.
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
])(
  'a basal rate reported at 09:00 UTC, %i minutes from UTC, is the amount of the day that began at %s',
  (offset, begin) => {
    const { startMs, value, sampleKind } = rate(BAND, NINE, offset);
    expect(new Date(startMs).toISOString()).toBe(begin);
    expect({ value, sampleKind }).toEqual({ value: 1_440, sampleKind: 'daily_total' });
  },
);
