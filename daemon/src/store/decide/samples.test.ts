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
  const batch = sortedRows(samples, [7], () => false);
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
  const work = decideSamples(batch, snapshot, TIMELINE);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const RATES = samplesEvery('heart_rate', '2026-03-10T10:00Z', 1, [60, 61, 62]);

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

test('moves a sample to the slot of its id if the id becomes known', () => {
  const { rows } = decide(RATES);
  const named: HealthRecord = { ...sample('heart_rate', '2026-03-10T10:01Z', 61), externalId: 'a' };
  const decided = decide([named], rows);
  const { deleted, inserted, updated } = changesOf(decided);
  expect(deleted).toEqual([{ typeId: 1, sourceId: 7, startMs: Date.parse('2026-03-10T10:01Z'), slot: rows.slot[1] }]);
  expect([[...inserted], updated]).toEqual([[0], []]);
});
