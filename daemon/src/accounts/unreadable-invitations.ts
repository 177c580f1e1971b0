import type pg from 'pg';

/** Revokes invitations whose token none of these keys can decrypt. @returns the number of revoked invitations */
export async function revokeUnreadableInvitations(client: pg.ClientBase, keyIds: readonly string[]): Promise<number> {
  const { rowCount } = await client.query(
    `update developer_invitation set status = 'revoked' where status = 'pending'
       and token_sealed is not null and split_part(token_sealed, '.', 2) <> all($1)`,
    [keyIds],
  );
  return rowCount ?? 0;
}
