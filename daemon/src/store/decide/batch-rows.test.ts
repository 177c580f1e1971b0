import { batchOf, MS_PER_DAY, type SampleRecord } from '@healthd/model';
import { expect, it } from 'vitest';
import { sample } from '../../../../test/support/records.js';
import { sortedRows } from './batch-rows.js';

function stored(records: readonly SampleRecord[], sourceIds: readonly (number | undefined)[] = [7], suppressed = -1) {
  const work = sortedRows(batchOf([...records]).samples, sourceIds, (row) => row === suppressed);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const PULSE = sample('heart_rate', '2026-03-10T10:00Z', 60);

it.each<[string, Partial<SampleRecord>]>([
  ['value_not_finite', { value: Number.NaN }],
  ['value_not_finite', { value: Number.POSITIVE_INFINITY }],
  ['invalid_date', { startMs: Number.NaN }],
  ['invalid_date', { startMs: 1e18 }],
  ['invalid_duration', { durationMs: -1 }],
  ['invalid_duration', { durationMs: 2 ** 31 }],
  ['implausible', { value: 10_000 }],
])('rejects a sample with the code %s', (code, changes) => {
  const { rejected, rows, positions } = stored([PULSE, { ...PULSE, ...changes }]);
  expect(rejected).toMatchObject([{ kind: 'rejected', collection: 'samples', index: 1, code }]);
  expect([rows.length, [...positions]]).toEqual([1, [0]]);
});

it('accepts the longest and the shortest duration', () => {
  const { rejected, rows } = stored([
    { ...PULSE, durationMs: 0 },
    { ...PULSE, durationMs: 2 ** 31 - 1, startMs: PULSE.startMs + MS_PER_DAY },
  ]);
  expect([rejected, [...rows.durationMs]]).toEqual([[], [0, 2 ** 31 - 1]]);
});

it('distinguishes samples beyond the source limit from suppressed samples', () => {
  const steps = sample('steps', '2026-03-10T10:00Z', 5, { source: { provider: 'oura' } });
  const { rejected, suppressed, rows } = stored([PULSE, PULSE, steps], [7, undefined], 1);
  expect(rejected).toMatchObject([{ index: 2, field: 'source' }]);
  expect([suppressed, rows.length]).toEqual([1, 1]);
});

it('sorts samples of one instant by source and kind', () => {
  const at = (provider: 'oura' | 'apple', kind: SampleRecord['sampleKind'], value: number) =>
    sample('heart_rate', '2026-03-10T10:00Z', value, { source: { provider }, kind });
  const records = [at('oura', 'aggregate', 61), at('oura', 'sample', 62), at('apple', 'sample', 63)];
  const { rows, positions } = stored(records, [9, 8]);
  expect([...rows.value]).toEqual([63, 62, 61]);
  expect([...positions]).toEqual([2, 1, 0]);
});

it('rounds times to milliseconds', () => {
  const { rows } = stored([{ ...PULSE, startMs: PULSE.startMs + 0.4, durationMs: 999.6 }]);
  expect([rows.startMs[0], rows.durationMs[0]]).toEqual([PULSE.startMs, 1_000]);
});
