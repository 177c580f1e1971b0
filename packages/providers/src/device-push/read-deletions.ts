import {
  MAX_DELETED_RANGE_DAYS,
  MAX_PUSHED_DELETIONS,
  MS_PER_DAY,
  type PushedDeletion,
  type PushedKinds,
  type RejectionCode,
  seriesTypeByCode,
} from '@healthd/model';
import { isObject, type PayloadObject, parseInstant, textOf } from '../payload/index.js';
import type { PushAdapter } from './adapter.js';
import type { ItemReader } from './item-reader.js';
import { PlanMemory } from './plan-memory.js';

const ENERGY_TYPES = [seriesTypeByCode('energy').id, seriesTypeByCode('basal_energy').id];

/** Lower-case names of sleep and workout types in the stores. */
const SLEEP_TYPES = new Set(['sleep', 'sleep_session', 'hkcategorytypeidentifiersleepanalysis']);
const WORKOUT_TYPES = new Set(['workout', 'workouts', 'exercise', 'exercise_session', 'hkworkouttypeidentifier']);

/**
 * Reads a phone's deletions from `data.deleted`. Rejects invalid entries individually, and entries above the limit.
 * @param known adapters by precedence: the first adapter that supports a type determines its meaning
 */
export function readDeletions(
  entries: readonly unknown[],
  reader: ItemReader,
  known: readonly PushAdapter[],
): PushedDeletion[] {
  const { tally } = reader;
  const plans = new PlanMemory(known);
  const deletions: PushedDeletion[] = [];
  for (const [index, entry] of entries.entries()) {
    const reject = (field: string | undefined, code: RejectionCode, detail?: string) =>
      tally.reject('deleted', index, field, code, detail);
    if (deletions.length >= MAX_PUSHED_DELETIONS) {
      reject(undefined, 'too_many', `${MAX_PUSHED_DELETIONS} in a batch`);
      continue;
    }
    if (!isObject(entry)) {
      reject(undefined, 'not_an_object');
      continue;
    }
    const deletion = isAbsent(entry.id) ? rangeOf(entry, reader, plans, reject) : idDeletion(entry, plans, reject);
    if (!deletion) continue;
    deletions.push(deletion);
    tally.accept('deleted');
  }
  return deletions;
}

type Reject = (field: string | undefined, code: RejectionCode, detail?: string) => void;

/** An unknown type does not restrict the deletion, because the id alone identifies the item. */
function idDeletion({ id, type }: PayloadObject, plans: PlanMemory, reject: Reject): PushedDeletion | undefined {
  if (typeof id !== 'string' || id === '') return void reject('id', 'invalid_value');
  if (!isAbsent(type) && typeof type !== 'string') return void reject('type', 'invalid_value');
  const kinds = kindsOf(type, plans);
  return kinds === undefined ? { id } : { id, kinds };
}

function rangeOf(
  { type, start, end, source }: PayloadObject,
  reader: ItemReader,
  plans: PlanMemory,
  reject: Reject,
): PushedDeletion | undefined {
  const named = textOf(type);
  if (named === undefined) return void reject('type', isAbsent(type) ? 'missing' : 'invalid_value');
  const kinds = kindsOf(named, plans);
  if (kinds === undefined) return void reject('type', 'unknown_type', named);
  for (const [field, value] of [
    ['start', start],
    ['end', end],
    ['source', source],
  ] as const) {
    if (isAbsent(value)) return void reject(field, 'missing');
  }
  if (!isObject(source)) return void reject('source', 'not_an_object');
  const [startMs, endMs] = [parseInstant(start)?.ms, parseInstant(end)?.ms];
  if (startMs === undefined || Number.isNaN(startMs)) return void reject('start', 'invalid_date');
  if (endMs === undefined || Number.isNaN(endMs)) return void reject('end', 'invalid_date');
  if (endMs <= startMs) return void reject('end', endMs === startMs ? 'empty_interval' : 'end_before_start');
  if (endMs - startMs > MAX_DELETED_RANGE_DAYS * MS_PER_DAY) {
    return void reject('end', 'interval_too_long', `${MAX_DELETED_RANGE_DAYS} days`);
  }
  return { kinds, startMs, endMs, source: reader.sourceOf(source) };
}

/** Undefined for a type that no store has. */
function kindsOf(type: unknown, plans: PlanMemory): PushedKinds | undefined {
  const name = textOf(type);
  if (name === undefined) return undefined;
  const lower = name.toLowerCase();
  if (SLEEP_TYPES.has(lower)) return 'sleep';
  if (WORKOUT_TYPES.has(lower)) return 'workouts';
  const { plan } = plans.of(name, undefined);
  if (plan?.kind === 'sample') return { typeIds: [plan.typeId] };
  return plan?.kind === 'total_energy' || plan?.kind === 'basal_rate' ? { typeIds: ENERGY_TYPES } : undefined;
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
