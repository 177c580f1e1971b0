import type pg from 'pg';
import { recordServiceAct } from '../audit/index.js';
import { UserMissingError } from '../platform/database/index.js';

/** A user of another service, with the ID that other systems use. `createdAt` is in Postgres format. */
export interface ImportedUser {
  id: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  externalUserId: string | null;
  createdAt: string;
}

/** Result of copying one user. */
export interface UserImport {
  userKey: number;
  /** `updated`: fields that differ in the source were updated here. `here`: the user existed and was not updated. */
  outcome: 'new' | 'updated' | 'here';
  /** True if the user was stored without the external ID, because another user has it. */
  droppedExternalId: boolean;
  /** Fields that differ in the source and were kept, because they were changed here or may have been. */
  storedFields: string[];
}

interface StoredProfile {
  user_key: number;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  external_user_id: string | null;
  changed_here: string[] | null;
}

/**
 * Adds a user with their ID from the source. For an existing user, updates the fields that were not changed here. Omits
 * an external ID that another user has.
 * @param by name for the audit trail
 */
export async function importUser(client: pg.ClientBase, user: ImportedUser, by: string): Promise<UserImport> {
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
    return { userKey: added.user_key, outcome: 'new', droppedExternalId, storedFields: [] };
  }
  return updateUser(client, user, by);
}

async function updateUser(client: pg.ClientBase, user: ImportedUser, by: string): Promise<UserImport> {
  const { rows } = await client.query<StoredProfile & { is_external_id_taken: boolean }>(
    `select user_key, email, first_name, last_name, external_user_id, changed_here,
            exists (select from health_user o where o.external_user_id = $2 and o.id <> $1) as is_external_id_taken
       from health_user where id = $1`,
    [user.id, user.externalUserId],
  );
  const stored = rows[0];
  if (!stored) throw new UserMissingError();
  const there = {
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    external_user_id: user.externalUserId,
  };
  const differing = (['email', 'first_name', 'last_name', 'external_user_id'] as const).filter(
    (field) => there[field] !== stored[field],
  );
  const storedFields: string[] = differing.filter((field) => stored.changed_here?.includes(field) ?? true);
  const fields = differing.filter((field) => !storedFields.includes(field));
  const droppedExternalId = stored.is_external_id_taken && fields.includes('external_user_id');
  const updatedFields = fields.filter((field) => field !== 'external_user_id' || !droppedExternalId);
  const result = { userKey: stored.user_key, droppedExternalId, storedFields };
  if (updatedFields.length === 0) return { ...result, outcome: 'here' };
  const assignments = updatedFields.map((field, index) => `${field} = $${index + 3}`).join(', ');
  // Updates nothing if a concurrent call has changed the user, whose new values are kept.
  const { rowCount } = await client.query(
    `update health_user set ${assignments}, updated_at = now() where id = $1 and changed_here = $2`,
    [user.id, stored.changed_here, ...updatedFields.map((field) => there[field])],
  );
  if (rowCount === 0) return { ...result, outcome: 'here', storedFields: differing };
  await recordServiceAct(client, { userKey: stored.user_key, resource: 'user', action: 'update', job: by });
  return { ...result, outcome: 'updated' };
}
