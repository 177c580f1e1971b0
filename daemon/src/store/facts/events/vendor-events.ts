import { noCounts, type WriteCounts } from '../item-counts.js';
import type { WriteContext } from '../write-context.js';
import type { EventKind } from './event-kinds.js';
import { type EventColumn, lastOfEach, upsertEvents } from './event-store.js';

/**
 * Stores events in place: a correction keeps the id. Identity is the external id where the vendor gives one, else the
 * start. Rows of one identity count once; the last wins.
 * @param keepStored events that are stored already stay as they are
 */
export async function storeVendorEvents<Row>(
  { client, userKey }: WriteContext,
  kind: EventKind<Row>,
  rows: Row[],
  keepStored: boolean,
): Promise<WriteCounts> {
  const externalId = kind.columns.find(({ name }) => name === 'external_id') as EventColumn<Row>;
  const counts = noCounts();
  for (const isNamed of [true, false]) {
    const identity = isNamed ? kind.namedBy : kind.unnamedBy;
    const chosen = rows.filter((row) => (externalId.value(row) !== undefined) === isNamed);
    const distinct = lastOfEach(chosen, (row) =>
      JSON.stringify(kind.columns.filter(({ name }) => identity.includes(name)).map(({ value }) => value(row))),
    );
    const target = `(user_key, ${identity.join(', ')}) where external_id is ${isNamed ? 'not null' : 'null'}`;
    const { inserted, updated } = await upsertEvents(
      client,
      userKey,
      { name: kind.table, columns: kind.columns, target, identity, keepStored, keepKnown: true },
      distinct,
    );
    counts.inserted += inserted.length;
    counts.updated += updated.length;
    counts.unchanged += distinct.length - inserted.length - updated.length;
  }
  return counts;
}
