import { type EventValues, valuesOf } from '../facts/events/event-columns.js';
import type { EventKind } from '../facts/events/event-kinds.js';
import { type DecidedEvents, decideEvents, type EventVersion, mergedValues } from './events.js';

/** A stored menstrual cycle or score. */
export interface StoredVendorEvent {
  id: string;
  values: EventValues;
}

/**
 * Decides about menstrual cycles or scores. Rows with the same identity are versions of one event: the later version
 * counts, and the earlier version fills its unknown values. A correction keeps the id.
 * @param stored events with the identity of a row
 * @param newIds ids for new events, one per row
 */
export function* decideVendorEvents<Row>(
  kind: EventKind<Row>,
  rows: readonly Row[],
  stored: readonly StoredVendorEvent[],
  { newIds, keepStored }: { newIds: readonly string[]; keepStored: boolean },
): Generator<void, DecidedEvents> {
  const { columns } = kind;
  const known = new Map(stored.map((event) => [identityOf(kind, event.values), event]));
  const events = new Map<string, EventVersion>();
  for (const [index, row] of rows.entries()) {
    yield;
    const values = valuesOf(columns, row);
    const identity = identityOf(kind, values);
    const earlier = events.get(identity);
    if (earlier) {
      earlier.values = mergedValues(columns, earlier.values, values, 'complete');
      continue;
    }
    const own = known.get(identity);
    events.set(identity, { id: own?.id ?? (newIds[index] as string), values, stored: own?.values });
  }
  return yield* decideEvents(columns, events.values(), 'complete', keepStored);
}

function identityOf({ namedBy, unnamedBy }: EventKind<never>, values: EventValues): string {
  const key = values.external_id === null ? unnamedBy : namedBy;
  return JSON.stringify([values.external_id === null, ...key.map((name) => values[name])]);
}
