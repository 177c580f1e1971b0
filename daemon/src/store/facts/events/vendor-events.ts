import type pg from 'pg';
import type { ChangedIds, WriteCounts } from '../write-result.js';
import { type EventColumn, lastOfEach, upsertEvents } from './event-store.js';

/** How one kind of event is stored. */
export interface EventKind<Row> {
  table: string;
  columns: EventColumn<Row>[];
  /** Columns that, with the user, make the identity of an event with an external id. */
  namedBy: string[];
  /** Columns that, with the user, make the identity of an event without one. */
  unnamedBy: string[];
}

/**
 * Stores events in place: a correction keeps the id. Identity is the external id where the vendor gives one, else the
 * start. Rows of one identity count once; the last wins.
 */
export async function storeVendorEvents<Row>(
  client: pg.ClientBase,
  userKey: number,
  kind: EventKind<Row>,
  rows: Row[],
  { keepStored }: { keepStored: boolean },
): Promise<{ counts: WriteCounts; ids: ChangedIds }> {
  const externalId = kind.columns.find(({ name }) => name === 'external_id') as EventColumn<Row>;
  const ids: ChangedIds = { inserted: [], updated: [] };
  let total = 0;
  for (const isNamed of [true, false]) {
    const identity = isNamed ? kind.namedBy : kind.unnamedBy;
    const chosen = rows.filter((row) => (externalId.value(row) !== undefined) === isNamed);
    const distinct = lastOfEach(chosen, (row) =>
      JSON.stringify(kind.columns.filter(({ name }) => identity.includes(name)).map(({ value }) => value(row))),
    );
    const target = `(user_key, ${identity.join(', ')}) where external_id is ${isNamed ? 'not null' : 'null'}`;
    const stored = await upsertEvents(
      client,
      userKey,
      { name: kind.table, columns: kind.columns, target, identity, keepStored, keepKnown: true },
      distinct,
    );
    ids.inserted.push(...stored.inserted);
    ids.updated.push(...stored.updated);
    total += distinct.length;
  }
  const { inserted, updated } = ids;
  const unchanged = total - inserted.length - updated.length;
  return { ids, counts: { inserted: inserted.length, updated: updated.length, unchanged } };
}
