import { MS_PER_MINUTE } from '@healthd/model';
import type pg from 'pg';
import type { Turns } from '../../../platform/turns.js';
import { CHANGE } from '../change.js';
import { changesOf, type ItemTable, type UserChanges } from '../changes.js';
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
  /** Former values; undefined for a new row. */
  before?: EventValues | undefined;
  /** True if only internal columns change. */
  isInternal?: boolean;
}

/** Inserts rows, or updates the rows with their ids, and records the changes. */
export async function writeEvents(
  { client, userKey, turns }: { client: pg.ClientBase; userKey: number; turns: Turns },
  { table, columns }: { table: ItemTable; columns: readonly EventColumn<never>[] },
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
    for (const event of some) addWritten(changesOf(client, userKey), table, event);
    await client.query(text, [userKey, ids, ...columns.map((column) => elementsOf(column, rows))]);
    await turns.yieldIfLong();
  }
}

function addWritten(changes: UserChanges, table: ItemTable, { id, values, before, isInternal }: WrittenEvent): void {
  if (isInternal) return;
  const dates = [before, values].flatMap((version) => (version ? [dateOf(version)] : []));
  changes.addItem(table, id, before ? CHANGE.corrected : CHANGE.created, dates);
}

/**
 * Returns an event's local date: the stored date of a night or workout. The date of a cycle (its start) or score is
 * computed with the event's own offset.
 */
function dateOf(values: EventValues): string {
  const stored = values.wake_date ?? values.local_date;
  if (typeof stored === 'string') return stored;
  const offsetMs = ((values.offset_minutes as number | null) ?? 0) * MS_PER_MINUTE;
  return new Date(((values.start_at ?? values.recorded_at) as number) + offsetMs).toISOString().slice(0, 10);
}

/** @param documents names of the jsonb columns, which may be long */
function* chunksOf(events: readonly WrittenEvent[], documents: readonly string[]): Generator<WrittenEvent[]> {
  let batch: WrittenEvent[] = [];
  let characters = 0;
  for (const event of events) {
    batch.push(event);
    for (const name of documents) characters += ((event.values[name] as string | null) ?? '').length;
    if (batch.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
