import { batchOf, type HealthRecord, NO_OFFSET } from '@healthd/model';
import { expect, test } from 'vitest';
import { sample, samplesEvery } from '../../../../test/support/records.js';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { allocateRows, type SampleRows } from '../facts/samples/sample-rows.js';
import { sortedRows } from './batch-rows.js';
import type { Identified } from './identified.js';
import { groupSamples, rowsToCompare, stretchesOf } from './sample-groups.js';
import { changesOf, decideSamples, type SampleSnapshot } from './samples.js';

const NOTHING = allocateRows(0);
const TIMELINE = new OffsetTimeline();

/** Decides about records of one source, without a database. @param stored in the order of the table's key */
function decide(records: HealthRecord[], stored: SampleRows = NOTHING): Identified {
  const { samples, records: others } = batchOf(records);
  const batch = resultOf(sortedRows(samples, [7], () => false));
  const grouped = groupSamples(batch.rows);
  for (const group of grouped.groups) group.overlaps = stored.length > 0;
  const compared = rowsToCompare(batch.rows, grouped);
  const snapshot: SampleSnapshot = {
    facts: { replacesFiles: false, keepStored: false, mayRemove: others.length > 0, readings: undefined },
    isRestated: false,
    compared,
    totals: NOTHING,
    around: [{ stretches: stretchesOf(batch.rows, compared.doubtful), stored }],
    windows: [],
    readings: [],
    archived: undefined,
  };
  return resultOf(decideSamples(batch, snapshot, TIMELINE));
}

function resultOf<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const RATES = samplesEvery('heart_rate', '2026-03-10T10:00Z', 1, [60, 61, 62]);

test.each([0, 1, 16_384, 16_385, 70_000])('sorts %i samples by type and start like a plain sort', (count) => {
  // Few starts, so that many samples are equal and their order in the batch decides.
  const from = Date.parse('2026-03-10T10:00Z');
  const samples = Array.from({ length: count }, (_, index) =>
    sample(
      index % 3 === 0 ? 'heart_rate' : 'steps',
      new Date(from + ((index * 7_919) % 5_003) * 1_000).toISOString(),
      60 + (index % 100),
    ),
  );
  const { samples: columns } = batchOf(samples);
  const { positions, rows } = resultOf(sortedRows(columns, [7], () => false));
  const expected = Array.from({ length: count }, (_, index) => index).sort(
    (a, b) =>
      (columns.typeId[a] as number) - (columns.typeId[b] as number) ||
      (columns.startMs[a] as number) - (columns.startMs[b] as number) ||
      a - b,
  );
  expect([...positions]).toEqual(expected);
  expect([...rows.value]).toEqual(expected.map((position) => columns.value[position]));
});

test('inserts samples that are not stored', () => {
  const decided = decide(RATES);
  expect(changesOf(decided)).toMatchObject({ deleted: [], updated: [], inserted: Uint32Array.of(0, 1, 2) });
});

test('changes nothing if all samples are stored', () => {
  const { rows } = decide(RATES);
  const again = decide(RATES, rows);
  expect(again.counts()).toMatchObject({ insert: 0, unchanged: 3 });
  expect(changesOf(again)).toMatchObject({ deleted: [], updated: [], inserted: Uint32Array.of() });
});

test('updates a sample in place if its offset becomes known', () => {
  const { rows } = decide(RATES);
  expect(rows.offsetMinutes[1]).toBe(NO_OFFSET);
  const decided = decide([sample('heart_rate', '2026-03-10T10:01Z', 61, { offsetMinutes: 60 })], rows);
  expect(changesOf(decided)).toMatchObject({ deleted: [], updated: [0], inserted: Uint32Array.of() });
});

test('moves a sample to the slot of an id that becomes known', () => {
  const { rows } = decide(RATES);
  const named: HealthRecord = { ...sample('heart_rate', '2026-03-10T10:01Z', 61), externalId: 'a' };
  const decided = decide([named], rows);
  const { deleted, inserted, updated } = changesOf(decided);
  expect(deleted).toEqual([{ typeId: 1, sourceId: 7, startMs: Date.parse('2026-03-10T10:01Z'), slot: rows.slot[1] }]);
  expect([[...inserted], updated]).toEqual([[0], []]);
});
