import type pg from 'pg';

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
