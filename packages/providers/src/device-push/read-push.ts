import { BatchBuilder, MS_PER_DAY, type RecordBatch, type RejectionCode } from '@healthd/model';
import { isObject, type PayloadObject, parseInstant } from '../payload/index.js';
import type { PushAdapter } from './adapter.js';
import { ItemReader } from './item-reader.js';
import { type PushReport, PushTally } from './push-report.js';
import { readDeletions } from './read-deletions.js';
import { readRecords } from './read-records.js';
import { readSleep } from './read-sleep.js';
import { readWorkouts } from './read-workouts.js';

/** Reason why a whole payload is unusable: the invalid member and a stable code. */
export interface EnvelopeFault {
  field: string;
  code: Extract<RejectionCode, 'missing' | 'not_an_object' | 'not_an_array' | 'invalid_value' | 'invalid_date'>;
}

/**
 * Tolerance for start times in the future. Exceeds the maximum error of local time that was sent as UTC. Items from a
 * phone whose clock is a year ahead are rejected.
 */
const MAX_AHEAD_MS = 2 * MS_PER_DAY;

export type PushReading = { batch: RecordBatch; report: PushReport } | { fault: EnvelopeFault };

/**
 * Converts a mobile client's payload into records. A fault rejects only its item; only a broken envelope yields
 * nothing.
 * @param adapter the store that the payload names
 * @param others adapters for types that `adapter` does not support, because some clients send another store's names
 * @param receivedAtMs when the payload arrived. Items that start more than two days later are rejected
 */
export function readPush(
  payload: unknown,
  adapter: PushAdapter,
  others: readonly PushAdapter[] = [],
  receivedAtMs = Number.POSITIVE_INFINITY,
): PushReading {
  const envelope = readEnvelope(payload);
  if ('fault' in envelope) return envelope;
  const tally = new PushTally();
  const reader = new ItemReader(adapter, tally, receivedAtMs + MAX_AHEAD_MS);
  const known = [adapter, ...others.filter((other) => other !== adapter)];
  const { records, sleep, workouts, deleted } = envelope.lists;
  const inWorkouts = readWorkouts(workouts, reader, known);
  const withBeats = records.reduce((count: number, item) => count + Number(isObject(item) && 'heartbeats' in item), 0);
  const builder = new BatchBuilder(Math.max(1, inWorkouts.length + records.length + withBeats));
  const items = readDeletions(deleted, reader, known);
  if (items.length > 0) builder.add({ kind: 'deletion', provider: adapter.provider, of: 'pushed', items });
  for (const record of inWorkouts) builder.add(record);
  readRecords(records, reader, known, builder);
  for (const record of readSleep(sleep, reader)) builder.add(record);
  return { batch: { ...builder.take(), zones: reader.observations.take() }, report: tally.report };
}

const LISTS = ['records', 'sleep', 'workouts', 'deleted'] as const;
type Lists = Record<(typeof LISTS)[number], readonly unknown[]>;

function readEnvelope(payload: unknown): { lists: Lists } | { fault: EnvelopeFault } {
  const fault = (field: string, code: EnvelopeFault['code']) => ({ fault: { field, code } });
  if (!isObject(payload)) return fault('', 'not_an_object');
  const { sdkVersion, syncTimestamp } = payload;
  if (sdkVersion === undefined || sdkVersion === null) return fault('sdkVersion', 'missing');
  if (typeof sdkVersion !== 'string') return fault('sdkVersion', 'invalid_value');
  if (syncTimestamp === undefined || syncTimestamp === null) return fault('syncTimestamp', 'missing');
  if (parseInstant(syncTimestamp) === undefined) return fault('syncTimestamp', 'invalid_date');
  const data = payload.data === undefined ? {} : payload.data;
  if (!isObject(data)) return fault('data', 'not_an_object');
  for (const list of LISTS) {
    if (data[list] !== undefined && !Array.isArray(data[list])) return fault(`data.${list}`, 'not_an_array');
  }
  return {
    lists: {
      records: listOf(data, 'records'),
      sleep: listOf(data, 'sleep'),
      workouts: listOf(data, 'workouts'),
      deleted: listOf(data, 'deleted'),
    },
  };
}

function listOf(data: PayloadObject, list: (typeof LISTS)[number]): readonly unknown[] {
  return (data[list] as readonly unknown[] | undefined) ?? [];
}
