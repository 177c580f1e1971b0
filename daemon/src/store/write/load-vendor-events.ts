import { ONE_LOOK_EACH } from '../../platform/database/index.js';
import type { StoredVendorEvent } from '../decide/vendor-events.js';
import {
  arrayType,
  elementsOf,
  type EventValues,
  selectedColumns,
  storedValues,
  valuesOf,
} from '../facts/events/event-columns.js';
import type { EventKind } from '../facts/events/event-kinds.js';
import type { WriteContext } from '../facts/write-context.js';

/** Loads the stored events with the identity of a row: by external id, or by start for rows without an id. */
export async function loadVendorEvents<Row>(
  { client, userKey, turns }: WriteContext,
  kind: EventKind<Row>,
  rows: readonly Row[],
): Promise<StoredVendorEvent[]> {
  const found: StoredVendorEvent[] = [];
  const values = rows.map((row) => valuesOf(kind.columns, row));
  await turns.yieldIfLong();
  for (const isNamed of [true, false]) {
    const chosen = values.filter((row) => (row.external_id !== null) === isNamed);
    if (chosen.length > 0) found.push(...(await load(client, userKey, kind, chosen, isNamed)));
    await turns.yieldIfLong();
  }
  return found;
}

async function load(
  client: WriteContext['client'],
  userKey: number,
  { table, columns, namedBy, unnamedBy }: EventKind<never>,
  rows: readonly EventValues[],
  isNamed: boolean,
): Promise<StoredVendorEvent[]> {
  const key = columns.filter(({ name }) => (isNamed ? namedBy : unnamedBy).includes(name));
  const names = key.map(({ name }) => name).join(', ');
  const { rows: found } = await client.query<Record<string, unknown> & { id: string }>(
    `select s.id, ${selectedColumns(columns)}
       from (select distinct * from unnest(${key.map((column, index) => `$${index + 2}::${arrayType(column)}`).join(', ')})
               as given (${names})) given
      cross join lateral (
        select * from ${table} stored
         where stored.user_key = $1 and stored.external_id is ${isNamed ? 'not null' : 'null'}
           and ${key.map(({ name }) => `stored.${name} = given.${name}`).join(' and ')}
        ${ONE_LOOK_EACH}) s`,
    [userKey, ...key.map((column) => elementsOf(column, rows))],
  );
  return found.map((row) => ({ id: row.id, values: storedValues(columns, row) }));
}
