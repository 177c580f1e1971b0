import { isDeepStrictEqual } from 'node:util';
import type { EventColumn, EventValues } from '../facts/events/event-columns.js';
import type { WrittenEvent } from '../facts/events/event-store.js';
import type { ChangedIds } from '../facts/write-result.js';

type Columns = readonly EventColumn<never>[];

/** How a new version of an event combines with the version before it. */
export type MergeRule = 'replace' | 'complete' | 'fill';

/**
 * Combines two versions of an event.
 * @param rule `replace`: the later version counts; `complete`: the earlier version fills the later version's unknown
 * values; `fill`: the later version only fills unknown values of the earlier version
 */
export function mergedValues(columns: Columns, earlier: EventValues, later: EventValues, rule: MergeRule): EventValues {
  if (rule === 'replace') return later;
  const [first, second] = rule === 'complete' ? [later, earlier] : [earlier, later];
  const values: Record<string, EventValues[string]> = {};
  for (const { name, byMember } of columns) {
    const [known, other] = [first[name] ?? null, second[name] ?? null];
    values[name] = byMember && known !== null && other !== null ? mergedMembers(other, known) : (known ?? other);
  }
  return values;
}

/** Merges two JSON objects. Members of `over` take precedence. */
function mergedMembers(under: EventValues[string], over: EventValues[string]): string {
  return JSON.stringify({ ...JSON.parse(under as string), ...JSON.parse(over as string) });
}

/** True if two versions of an event are equal. */
function isSameEvent(columns: Columns, a: EventValues, b: EventValues): boolean {
  return columns.every(({ name, type }) => {
    const [one, other] = [a[name] ?? null, b[name] ?? null];
    if (one === other) return true;
    if (type !== 'jsonb' || one === null || other === null) return false;
    return isDeepStrictEqual(JSON.parse(one as string), JSON.parse(other as string));
  });
}

/** An event with its new values, and with its stored values if it was stored before. */
export interface EventVersion {
  id: string;
  values: EventValues;
  stored: EventValues | undefined;
}

/** Rows to write, and the outcome of each event. */
export interface DecidedEvents {
  written: WrittenEvent[];
  ids: ChangedIds;
  unchanged: number;
}

/** Decides which events to write. @param keepStored true to leave stored events unchanged */
export function* decideEvents(
  columns: Columns,
  events: Iterable<EventVersion>,
  rule: MergeRule,
  keepStored = false,
): Generator<void, DecidedEvents> {
  const counted = columns.filter(({ isInternal }) => !isInternal);
  const internal = columns.filter(({ isInternal }) => isInternal);
  const decided: DecidedEvents = { written: [], ids: { inserted: [], updated: [] }, unchanged: 0 };
  for (const { id, values, stored } of events) {
    // Yields after each event, because an event may have long lists.
    yield;
    if (stored === undefined) {
      decided.written.push({ id, values });
      decided.ids.inserted.push(id);
      continue;
    }
    const merged = keepStored ? stored : mergedValues(columns, stored, values, rule);
    const isUpdate = !isSameEvent(counted, stored, merged);
    if (isUpdate) decided.ids.updated.push(id);
    else decided.unchanged++;
    if (isUpdate || !isSameEvent(internal, stored, merged)) {
      decided.written.push({ id, values: merged, before: stored, isInternal: !isUpdate });
    }
  }
  return decided;
}
