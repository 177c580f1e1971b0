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
