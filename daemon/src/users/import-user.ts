import type pg from 'pg';
import { recordServiceAct } from '../audit/index.js';

/** A user of another service, with the id under which other systems know them. `createdAt` as Postgres reads it. */
export interface ImportedUser {
  id: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  externalUserId: string | null;
  createdAt: string;
}

/**
 * Adds a user under their own id. One who is here already stays as they are; an external id that another user has here
 * is left out.
 * @param by what the audit trail names
 */
export async function importUser(
  client: pg.ClientBase,
  user: ImportedUser,
  by: string,
): Promise<{ userKey: number; isNew: boolean; droppedExternalId: boolean }> {
  const { rows } = await client.query<{ user_key: number; external_user_id: string | null }>(
    `insert into health_user (id, email, first_name, last_name, external_user_id, created_at)
     select $1, $2, $3, $4, case when not exists (select from health_user where external_user_id = $5) then $5 end, $6
     on conflict (id) do nothing returning user_key, external_user_id`,
    [user.id, user.email, user.firstName, user.lastName, user.externalUserId, user.createdAt],
  );
  const added = rows[0];
  if (added) {
    await recordServiceAct(client, { userKey: added.user_key, resource: 'user', action: 'create', job: by });
    const droppedExternalId = user.externalUserId !== null && added.external_user_id === null;
    return { userKey: added.user_key, isNew: true, droppedExternalId };
  }
  const { rows: known } = await client.query<{ user_key: number }>('select user_key from health_user where id = $1', [
    user.id,
  ]);
  return { userKey: known[0]?.user_key as number, isNew: false, droppedExternalId: false };
}
