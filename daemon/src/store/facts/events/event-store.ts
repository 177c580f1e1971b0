import type pg from 'pg';
import type { Turns } from '../../../platform/turns.js';
import { arrayType, type EventColumn, type EventValues, elementsOf } from './event-columns.js';

/**
 * Number of rows per statement. Limits the size of a statement, so that building its parameters does not block the
 * event loop for long.
 */
const ROWS_AT_ONCE = 1_000;
const CHARACTERS_AT_ONCE = 1_000_000;

/** A new or changed row. */
export interface WrittenEvent {
  id: string;
  values: EventValues;
}

/** Inserts rows, or updates the rows with their ids. */
export async function writeEvents(
  { client, userKey, turns }: { client: pg.ClientBase; userKey: number; turns: Turns },
  { table, columns }: { table: string; columns: readonly EventColumn<never>[] },
  events: readonly WrittenEvent[],
): Promise<void> {
  const names = columns.map(({ name }) => name);
  const text = `insert into ${table} (user_key, id, ${names.join(', ')})
     select $1, id, ${columns.map(({ name, type }) => (type === 'jsonb' ? `${name}::jsonb` : name)).join(', ')}
       from unnest($2::uuid[], ${columns.map((column, index) => `$${index + 3}::${arrayType(column)}`).join(', ')})
            as written (id, ${names.join(', ')})
     on conflict (user_key, id) do update
        set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}, updated_at = now()`;
  const documents = columns.filter(({ type }) => type === 'jsonb').map(({ name }) => name);
  for (const some of chunksOf(events, documents)) {
    const rows = some.map(({ values }) => values);
    const ids = some.map(({ id }) => id);
    await client.query(text, [userKey, ids, ...columns.map((column) => elementsOf(column, rows))]);
    await turns.yieldIfLong();
  }
}

/** @param documents names of the jsonb columns, which may be long */
function* chunksOf(events: readonly WrittenEvent[], documents: readonly string[]): Generator<WrittenEvent[]> {
  let portion: WrittenEvent[] = [];
  let characters = 0;
  for (const event of events) {
    portion.push(event);
    for (const name of documents) characters += ((event.values[name] as string | null) ?? '').length;
    if (portion.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield portion;
    portion = [];
    characters = 0;
  }
  if (portion.length > 0) yield portion;
}
