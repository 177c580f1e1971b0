import { batchOf, fromDayNumber, type HealthRecord, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { expect, it } from 'vitest';
import { expiredItems } from './expired-items.js';

const FIRST_STORED = Date.UTC(2026, 2, 10) / MS_PER_DAY;
const FIRST_DATE = fromDayNumber(FIRST_STORED);
const source = { provider: 'strava', writer: 'cloud' } as const;
const INSTANTS = Array.from({ length: 4 * 96 }, (_, quarter) => FIRST_STORED * MS_PER_DAY + (quarter - 192) * 900_000);
const OFFSETS = [undefined, -720, -300, 0, 345, 840];

/** Formats the local date. An item without an offset has the latest date that it may have anywhere. */
function dateAt(ms: number, offsetMinutes = 840): string {
  return new Date(ms + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 10);
}

const isExpired = (record: HealthRecord) => expiredItems(batchOf([record]), FIRST_STORED).records.length === 1;

it.each(OFFSETS)('expires items by local date at an offset of %s minutes', (offsetMinutes) => {
  for (const ms of INSTANTS) {
    const expected = dateAt(ms, offsetMinutes) < FIRST_DATE;
    const sample = {
      kind: 'sample',
      source,
      typeId: 1,
      startMs: ms,
      offsetMinutes,
      value: 60,
      sampleKind: 'sample',
    } as const;
    expect(expiredItems(batchOf([sample]), FIRST_STORED).isExpiredSample(0)).toBe(expected);
    const span = { source, offsetMinutes, startMs: ms - MS_PER_HOUR, endMs: ms };
    expect(isExpired({ kind: 'workout', type: 'running', ...span })).toBe(expected);
    expect(isExpired({ kind: 'sleep_session', ...span })).toBe(expected);
  }
});

it('expires scores and cycles by UTC date, and stages a day later', () => {
  for (const ms of INSTANTS) {
    const expected = dateAt(ms, 0) < FIRST_DATE;
    const cycle = { kind: 'menstrual_cycle', source, startMs: ms - MS_PER_DAY, endMs: ms, details: {} } as const;
    expect(isExpired(cycle)).toBe(expected);
    expect(isExpired({ kind: 'health_score', source, category: 'sleep', value: 1, atMs: ms })).toBe(expected);
    const stage = { kind: 'sleep_stage', source, stage: 'deep', startMs: ms - MS_PER_HOUR, endMs: ms } as const;
    expect(isExpired(stage)).toBe(dateAt(ms, 1_440) < FIRST_DATE);
  }
});

it('never expires deletions or items without a limit', () => {
  const [first = 0] = INSTANTS;
  const deletion = { kind: 'deletion', provider: 'strava', of: 'session', externalId: 'a' } as const;
  expect(isExpired(deletion)).toBe(false);
  const sample = { kind: 'sample', source, typeId: 1, startMs: first, value: 60, sampleKind: 'sample' } as const;
  const old = { kind: 'health_score', source, category: 'sleep', value: 1, atMs: first } as const;
  const unlimited = expiredItems(batchOf([sample, old]), undefined);
  expect([unlimited.records, unlimited.isExpiredSample(0)]).toEqual([[], false]);
});
