import type pg from 'pg';

/** Progress of one data type of a connection. */
export interface TypeState {
  cursorMs: number | undefined;
  /**
   * True if the last pull from the cursor was complete and the provider's settings have not changed since. In webhook
   * mode the vendor has reported every change since that pull, so the next pull can start later than the cursor.
   */
  isSettled: boolean;
  /** Start of the last complete pull from the cursor. */
  lastSuccessAt: Date | undefined;
  /**
   * Time at which the vendor rejected the type; undefined if its last response did not reject the type. A later consent
   * resets this time.
   */
  rejectedAt: Date | undefined;
}

/** Reads the states by data type. @param changedAt last change of the provider's settings, e.g. to webhook mode */
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
        rejectedAt: refused_at ?? undefined,
      },
    ]),
  );
}
