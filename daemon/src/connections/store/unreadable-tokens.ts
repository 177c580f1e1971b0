import type pg from 'pg';

/**
 * Ends connections whose tokens cannot be decrypted with any of these keys.
 * @returns the number of ended connections
 */
export async function endUnreadableConnections(client: pg.ClientBase, keyIds: readonly string[]): Promise<number> {
  const isLost = (column: string) => `${column} is not null and split_part(${column}, '.', 2) <> all($1)`;
  const { rowCount } = await client.query(
    `update connection set status = 'expired', status_reason = 'token_unreadable', access_token = null,
       refresh_token = null, token_expires_at = null, token_version = token_version + 1, updated_at = now()
     where (${isLost('access_token')}) or (${isLost('refresh_token')})`,
    [keyIds],
  );
  return rowCount ?? 0;
}
