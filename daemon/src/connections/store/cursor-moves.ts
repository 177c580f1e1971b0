import type pg from 'pg';

/** New position of a cursor, and the start of the completely stored range. */
export interface CursorMove {
  cursorMs: number;
  fromMs: number;
  /** True if the range was chosen from this cursor. Any other range moves the cursor only if it leaves no gap. */
  followsCursor: boolean;
}

/** Moves a connection's cursor of one data type forward. */
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
