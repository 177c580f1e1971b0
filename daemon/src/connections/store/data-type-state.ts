import type pg from 'pg';

/** How far one kind of data of a connection is. */
export interface TypeState {
  cursorMs: number | undefined;
  /**
   * Whether the last pull from the cursor brought everything, and none of how the provider is used changed since: what
   * the vendor reports is complete from there on, and what was missed is older.
   */
  isSettled: boolean;
  /** When the last pull from the cursor that brought everything began. */
  lastSuccessAt: Date | undefined;
  /** When the vendor refused it, where that was the last that it answered; a consent that is younger counts as no answer. */
  refusedAt: Date | undefined;
}

/** Where a cursor goes, and the beginning of the range that was stored completely. */
export interface CursorMove {
  cursorMs: number;
  fromMs: number;
  /** The range was chosen by this cursor; any other must leave no hole behind it. */
  followsCursor: boolean;
}

/** Moves a connection's cursor of one kind of data, forward only. */
export async function moveCursor(
  client: pg.ClientBase,
  connectionId: string,
  dataType: string,
  { cursorMs, fromMs, followsCursor }: CursorMove,
): Promise<void> {
  await client.query(
    `insert into connection_data_type as t (connection_id, data_type, cursor_at)
     select $1, $2, to_timestamp($3::float8 / 1000)
      where $5 or exists (select from connection_data_type where connection_id = $1 and data_type = $2)
     on conflict (connection_id, data_type) do update set cursor_at = excluded.cursor_at
      where t.cursor_at is null and $5
         or t.cursor_at < excluded.cursor_at and ($5 or t.cursor_at >= to_timestamp($4::float8 / 1000))`,
    [connectionId, dataType, cursorMs, fromMs, followsCursor],
  );
}

/** By kind of data. @param changedAt when it last changed how the provider is used, e.g. that the vendor reports changes */
export async function readTypeStates(
  pool: pg.Pool | pg.ClientBase,
  connectionId: string,
  changedAt: Date | undefined,
): Promise<Map<string, TypeState>> {
  const { rows } = await pool.query<{
    data_type: string;
    cursor_at: Date | null;
    last_success_at: Date | null;
    is_settled: boolean | null;
    refused_at: Date | null;
  }>(
    `select t.data_type, t.cursor_at, t.last_success_at,
            t.last_outcome = 'success' and ($2::timestamptz is null or t.last_success_at > $2) as is_settled,
            case when t.last_outcome = 'skipped' then t.last_run_at end as refused_at
       from connection_data_type t where t.connection_id = $1`,
    [connectionId, changedAt ?? null],
  );
  return new Map(
    rows.map(({ data_type, cursor_at, last_success_at, is_settled, refused_at }) => [
      data_type,
      {
        cursorMs: cursor_at?.getTime(),
        isSettled: is_settled ?? false,
        lastSuccessAt: last_success_at ?? undefined,
        refusedAt: refused_at ?? undefined,
      },
    ]),
  );
}

/** A new consent may grant what was refused before. */
export async function forgetRefusals(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query(
    `update connection_data_type set last_outcome = null where connection_id = $1 and last_outcome = 'skipped'`,
    [connectionId],
  );
}

/** Notes how each kind of data of a connection ended last in a pull from its cursor. */
export async function noteOutcomes(
  client: pg.ClientBase,
  connectionId: string,
  reports: Readonly<Record<string, { status: string; error?: string }>>,
  at: Date,
): Promise<void> {
  const entries = Object.entries(reports);
  await client.query(
    `insert into connection_data_type as t (connection_id, data_type, last_outcome, last_error, last_run_at, last_success_at)
     select $1, data_type, outcome, error, $5, case when outcome = 'success' then $5::timestamptz end
       from unnest($2::text[], $3::text[], $4::text[]) as ended (data_type, outcome, error)
     on conflict (connection_id, data_type) do update
        set last_outcome = excluded.last_outcome, last_error = excluded.last_error, last_run_at = excluded.last_run_at,
            last_success_at = coalesce(excluded.last_success_at, t.last_success_at)`,
    [
      connectionId,
      entries.map(([dataType]) => dataType),
      entries.map(([, { status }]) => status),
      entries.map(([, { error }]) => error ?? null),
      at,
    ],
  );
}
