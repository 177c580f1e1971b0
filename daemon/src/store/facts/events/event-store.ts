import type pg from 'pg';
import { arrayType, type EventColumn, type EventValues, elementsOf } from './event-columns.js';

/** Limits the size of a statement, so that building its parameters does not block the event loop for long. */
const ROWS_AT_ONCE = 1_000;

/** A new or changed row. */
export interface WrittenEvent {
  id: string;
  values: EventValues;
}

/** Inserts rows, or updates the rows with their ids. */
export async function writeEvents(
  client: pg.ClientBase,
  userKey: number,
  { table, columns }: { table: string; columns: readonly EventColumn<never>[] },
  events: readonly WrittenEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const names = columns.map(({ name }) => name);
  const text = `insert into ${table} (user_key, id, ${names.join(', ')})
     select $1, id, ${columns.map(({ name, type }) => (type === 'jsonb' ? `${name}::jsonb` : name)).join(', ')}
       from unnest($2::uuid[], ${columns.map((column, index) => `$${index + 3}::${arrayType(column)}`).join(', ')})
            as written (id, ${names.join(', ')})
     on conflict (user_key, id) do update
        set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}, updated_at = now()`;
  for (let from = 0; from < events.length; from += ROWS_AT_ONCE) {
    const some = events.slice(from, from + ROWS_AT_ONCE);
    const rows = some.map(({ values }) => values);
    const ids = some.map(({ id }) => id);
    await client.query(text, [userKey, ids, ...columns.map((column) => elementsOf(column, rows))]);
  }
}
