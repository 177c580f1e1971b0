import type { UserResponse } from '@healthd/schemas';

/** A user's row with the last sync. */
export interface UserRow {
  id: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  external_user_id: string | null;
  time_zone: string | null;
  created_at: Date;
  last_synced_at: Date | null;
  last_synced_provider: string | null;
  has_active_connection: boolean;
}

export const USER_COLUMNS = `u.id, u.email, u.first_name, u.last_name, u.external_user_id, u.time_zone, u.created_at,
  exists (select from connection c where c.user_key = u.user_key and c.status = 'active') as has_active_connection`;

/** Joins the last sync to each user `u`. */
export const LAST_SYNC_JOIN =
  'left join (select user_key, last_synced_at, last_synced_provider from user_state) s using (user_key)';

export function userResponse(row: UserRow): UserResponse {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    external_user_id: row.external_user_id,
    time_zone: row.time_zone,
    last_synced_at: row.last_synced_at?.toISOString() ?? null,
    last_synced_provider: row.last_synced_provider,
    has_active_connection: row.has_active_connection,
  };
}
