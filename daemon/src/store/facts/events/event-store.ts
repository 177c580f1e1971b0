import type pg from 'pg';
import { storableJson, storableText } from '../storable-text.js';

/** A column of a session-like table: its name, its SQL type and a row's value (undefined is stored as null). */
export interface EventColumn<Row> {
  name: string;
  type: 'text' | 'timestamptz' | 'smallint' | 'integer' | 'double precision' | 'boolean' | 'date' | 'jsonb' | 'uuid';
  value: (row: Row) => string | number | boolean | object | undefined;
  /** Where what is known is stored: the members of a jsonb object are merged one by one. */
  byMember?: true;
}

/** Which of the given rows are the same event: an expression of the table's unique indexes. */
export interface EventTable<Row> {
  name: string;
  /** Conflict target with its `where`, as the unique index has it; its columns are not updated. */
  target: string;
  identity: string[];
  columns: EventColumn<Row>[];
  /** What is stored stays as it is; only events that are missing are inserted. */
  keepStored?: boolean;
  /** What a row does not have leaves what is stored; else it is stored as unknown. */
  keepKnown?: boolean;
  /** Rows give only what is not stored yet. */
  completes?: boolean;
}

/** Keeps one statement short, so that its parameters are made within one turn of the event loop. */
const ROWS_AT_ONCE = 1_000;

export interface StoredEvents {
  inserted: string[];
  updated: string[];
}

/** Upserts rows in place: ids stay, and `updated_at` moves only where something differs. */
export async function upsertEvents<Row>(
  client: pg.ClientBase,
  userKey: number,
  table: EventTable<Row>,
  rows: Row[],
): Promise<StoredEvents> {
  if (rows.length === 0) return { inserted: [], updated: [] };
  const names = table.columns.map(({ name }) => name);
  const free = table.columns.filter(({ name }) => !table.identity.includes(name));
  const next = free.map((column) => {
    if (table.completes) return withStored(column);
    return table.keepKnown ? withKnown(column) : `excluded.${column.name}`;
  });
  const update = `do update
        set ${free.map(({ name }, index) => `${name} = ${next[index]}`).join(', ')}, updated_at = now()
      where (${free.map(({ name }) => `stored.${name}`).join(', ')}) is distinct from (${next.join(', ')})`;
  const text = `insert into ${table.name} as stored (user_key, ${names.join(', ')})
     select $1, ${table.columns.map(({ name, type }) => (type === 'jsonb' ? `${name}::jsonb` : name)).join(', ')}
       from unnest(${table.columns.map(({ type }, index) => `$${index + 2}::${arrayType(type)}`).join(', ')})
            as fresh (${names.join(', ')})
     on conflict ${table.target} ${table.keepStored ? 'do nothing' : update}
     returning id, xmax = 0 as inserted`;
  const stored: StoredEvents = { inserted: [], updated: [] };
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const values = [userKey, ...table.columns.map((column) => some.map((row) => parameter(column, row)))];
    const { rows: changed } = await client.query<{ id: string; inserted: boolean }>(text, values);
    for (const { id, inserted } of changed) stored[inserted ? 'inserted' : 'updated'].push(id);
  }
  return stored;
}

function withKnown<Row>({ name, byMember }: EventColumn<Row>): string {
  if (byMember) return `coalesce(stored.${name} || excluded.${name}, excluded.${name}, stored.${name})`;
  return `coalesce(excluded.${name}, stored.${name})`;
}

function withStored<Row>({ name, byMember }: EventColumn<Row>): string {
  if (byMember) return `coalesce(excluded.${name} || stored.${name}, stored.${name}, excluded.${name})`;
  return `coalesce(stored.${name}, excluded.${name})`;
}

/** The last of the rows with one identity, in the order of the first. */
export function lastOfEach<Row>(rows: readonly Row[], identity: (row: Row) => string): Row[] {
  return [...new Map(rows.map((row) => [identity(row), row])).values()];
}

function arrayType(type: EventColumn<unknown>['type']): string {
  return type === 'jsonb' ? 'text[]' : `${type}[]`;
}

function parameter<Row>(column: EventColumn<Row>, row: Row): unknown {
  const value = column.value(row);
  if (value === undefined) return null;
  if (column.type === 'jsonb') return storableJson(value as object);
  if (typeof value === 'string') return storableText(value);
  if (column.type === 'double precision' && !Number.isFinite(value)) return null;
  if (column.type === 'timestamptz') return new Date(value as number).toISOString();
  return value;
}
