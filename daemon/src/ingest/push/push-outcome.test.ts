import { noItems, type RejectionReport, RejectionTally } from '@healthd/model';
import type { PushReport } from '@healthd/providers';
import { describe, expect, it } from 'vitest';
import type { WriteResult } from '../../store/facts/index.js';
import { processed } from './processed-batch.js';
import { disconnectedEnd, gaveUp, unusable } from './push-outcome.js';

/** Returns the outcome of a batch without items. */
function emptyResult(): WriteResult {
  const none = { inserted: 0, updated: 0, unchanged: 0 };
  return {
    items: noItems(),
    samples: { ...none },
    sleepStages: { ...none },
    sleepSessions: { ...none },
    workouts: { ...none },
    menstrualCycles: { ...none },
    healthScores: { ...none },
    deletions: { deleted: 0, notFound: 0 },
    deleted: { samples: 0, sessions: 0, healthScores: 0 },
    sleepSessionIds: { inserted: [], updated: [] },
    workoutIds: { inserted: [], updated: [] },
    changedStages: [],
    displacedSessions: [],
    rejected: [],
  };
}

const BATCH = '0b9f4d54-4f5e-4b2e-8f0e-1f6f2b9a7c01';

function report(reported: Partial<PushReport> = {}): PushReport {
  const nothing = { records: 0, sleep: 0, workouts: 0, deleted: 0 };
  const none = rejectionsOf(0);
  return { accepted: nothing, rejections: none, ignored: {}, unreadableOffsets: 0, ...reported };
}

const rejection = (index: number) =>
  ({ kind: 'rejected', collection: 'records', index, field: 'value', code: 'missing' }) as const;
const rejections = (count: number) => Array.from({ length: count }, (_, index) => rejection(index));
function rejectionsOf(count: number): RejectionReport {
  const tally = new RejectionTally();
  for (const item of rejections(count)) tally.add(item);
  return tally.report;
}

/** Returns the outcome of a batch that stored this number of items. */
function storedResult(stored: number): WriteResult {
  return { ...emptyResult(), items: { ...noItems(), read: stored, inserted: stored } };
}

/** Returns outcome and message of a batch with these numbers of accepted, rejected and ignored items. */
function reported(records: number, rejectedTotal = 0, ignored: Record<string, number> = {}) {
  const accepted = { records, sleep: 0, workouts: 0, deleted: 0 };
  const { outcome, step } = processed(
    BATCH,
    report({ accepted, rejections: rejectionsOf(rejectedTotal), ignored }),
    storedResult(records),
  );
  return [outcome.stage, outcome.status, step.message, ...('error' in outcome ? [outcome.error] : [])];
}

describe('the outcome of a readable batch', () => {
  it('is a success even if no item was stored', () => {
    expect(reported(2)).toEqual(['completed', 'success', '2 items stored.']);
    expect(reported(0)).toEqual(['completed', 'success', '0 items stored.']);
    expect(reported(1, 0, { Iron: 1, Zinc: 2 })).toEqual([
      'completed',
      'success',
      '1 item stored, 3 items of types that are not stored.',
    ]);
  });

  it('is partial if one item is rejected and another is stored', () => {
    expect(reported(1, 1)).toEqual(['completed', 'partial', '1 item stored, 1 item rejected.']);
    expect(reported(5, 2, { Iron: 1 })).toEqual([
      'completed',
      'partial',
      '5 items stored, 2 items rejected, 1 item of types that are not stored.',
    ]);
  });

  it('is a failure if every item was rejected', () => {
    expect(reported(0, 3)).toEqual([
      'failed',
      'failed',
      '0 items stored, 3 items rejected.',
      'Validation failed: none of the 3 items could be stored',
    ]);
  });

  it.each(['sleep', 'workouts', 'deleted'] as const)('is partial if the only usable items are %s', (collection) => {
    const accepted = { records: 0, sleep: 0, workouts: 0, deleted: 0, [collection]: 1 };
    const written = collection === 'deleted' ? emptyResult() : storedResult(1);
    expect(processed(BATCH, report({ accepted, rejections: rejectionsOf(1) }), written).outcome.status).toBe('partial');
  });

  it('has a message whose counts add up to the items', () => {
    const written = emptyResult();
    written.rejected.push(...rejections(99));
    written.items = { ...noItems(), read: 107, inserted: 1, duplicates: 2, superseded: 3, suppressed: 2, rejected: 99 };
    const accepted = { records: 107, sleep: 0, workouts: 0, deleted: 0 };
    const { outcome, step } = processed(BATCH, report({ accepted, rejections: rejectionsOf(1) }), written);
    expect(outcome).toMatchObject({ status: 'partial' });
    expect(step.message?.match(/\d+/g)).toEqual(['1', '2', '5', '100']);
  });

  it('is a failure if the database rejects every item', () => {
    const written = emptyResult();
    written.rejected.push(...rejections(2));
    written.items = { ...noItems(), read: 2, rejected: 2 };
    const accepted = { records: 2, sleep: 0, workouts: 0, deleted: 0 };
    const { outcome, step } = processed(BATCH, report({ accepted }), written);
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(step.message).toBe('0 items stored, 2 items rejected.');
  });

  it('does not count a rejected sleep stage as saved', () => {
    const written = storedResult(1);
    const stage = { kind: 'rejected', collection: 'sleep_stages', index: 0, code: 'too_many' } as const;
    written.rejected.push(stage, stage);
    const accepted = { records: 0, sleep: 3, workouts: 0, deleted: 0 };
    expect(processed(BATCH, report({ accepted }), written).step).toMatchObject({
      itemsProcessed: 1,
      metadata: { sleep_saved: 1 },
    });
  });

  it('lists the first hundred rejections of reader and database', () => {
    const written = emptyResult();
    written.rejected.push(...rejections(5));
    written.items = { ...written.items, read: 7, inserted: 2, rejected: 5 };
    const read = report({ rejections: rejectionsOf(98), ignored: { Iron: 4 } });
    const { step } = processed(BATCH, read, written);
    expect(step.metadata).toMatchObject({
      batch_id: BATCH,
      dropped_count: 103,
      ignored_count: 4,
      ignored: { Iron: 4 },
      items: { read: 109, inserted: 2, rejected: 103, unsupported: 4 },
    });
    const { kind: _, ...listed } = rejection(0);
    const { rejected } = step.metadata as { rejected: object[] };
    expect(rejected).toHaveLength(100);
    expect(rejected[0]).toEqual(listed);
    expect(written.items.rejected).toBe(5);
  });

  it('counts inserted, updated and unchanged items as saved', () => {
    const written = {
      ...emptyResult(),
      samples: { inserted: 1, updated: 2, unchanged: 4 },
      workouts: { inserted: 8, updated: 16, unchanged: 32 },
      dates: { from: '2026-11-01', to: '2026-11-02' },
    };
    const accepted = { records: 7, sleep: 64, workouts: 56, deleted: 0 };
    const { step } = processed(BATCH, report({ accepted, unreadableOffsets: 3 }), written);
    expect(step.itemsProcessed).toBe(127);
    expect(step.metadata).toMatchObject({
      records_saved: 7,
      workouts_saved: 56,
      sleep_saved: 64,
      unreadable_zone_offsets: 3,
      stored: { samples: written.samples, workouts: written.workouts, health_scores: written.healthScores },
      dates: written.dates,
    });
    expect(processed(BATCH, report(), emptyResult()).step.metadata).toMatchObject({ dates: null });
  });
});

describe('the outcome of a batch that was not processed', () => {
  it('names the faulty member or the body, but never a value', () => {
    const end = unusable(BATCH, { field: 'data.records', code: 'not_an_array' });
    const error = 'Validation failed: data.records must be an array';
    expect(end.outcome).toEqual({ stage: 'failed', status: 'failed', error });
    expect(end.step).toEqual({
      message: error,
      metadata: {
        batch_id: BATCH,
        reason: 'envelope_invalid',
        rejected: [{ collection: 'envelope', field: 'data.records', code: 'not_an_array' }],
      },
    });
    const { outcome } = unusable(BATCH, { field: '', code: 'damaged' });
    expect(outcome).toMatchObject({ error: 'Validation failed: the body could not be unpacked' });
  });

  it.each([
    ['abandoned', gaveUp, 'gave_up'],
    ['rejected', disconnectedEnd, 'connection_revoked'],
  ] as const)('has the same explanation in the run and the last event: %s', (_how, end, reason) => {
    const { outcome, step } = end(BATCH);
    expect(outcome).toEqual({ stage: 'failed', status: 'failed', error: step.message });
    expect(step.metadata).toEqual({ batch_id: BATCH, reason });
    expect(step.message).toMatch(/\.$/);
  });
});
