import { isZoneName } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { isStorableZone, loadFallbackZone, requestRedating } from '../../store/facts/index.js';
import type { Connection } from './connection.js';

/**
 * Stores the home time zone of a user's phones with the connections that they push through. Creates missing
 * connections.
 * @returns true if a connection changed
 */
export async function storePhoneZone(
  client: pg.ClientBase,
  { userKey, providers, zone }: { userKey: number; providers: readonly string[]; zone: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into connection as c (user_key, provider, time_zone)
     select $1, provider, $3 from unnest($2::text[]) as reported (provider)
     on conflict (user_key, provider) do update set time_zone = excluded.time_zone, updated_at = now()
      where c.time_zone is distinct from excluded.time_zone`,
    [userKey, providers, zone],
  );
  return rowCount !== 0;
}

/**
 * Stores the vendor account's time zone with a connection, and re-dates items if needed. Ignores a name that the
 * database does not support, and the zone of an account that the connection no longer has.
 * @throws UserMissingError
 */
export async function storeAccountZone(
  client: pg.ClientBase,
  { id, userKey, providerUserId }: Pick<Connection, 'id' | 'userKey' | 'providerUserId'>,
  zone: string,
): Promise<void> {
  if (!(isZoneName(zone) && (await isStorableZone(client, zone)))) return;
  await lockUser(client, userKey);
  const before = await loadFallbackZone(client, userKey);
  await client.query(
    `update connection set time_zone = $2, updated_at = now()
      where id = $1 and provider_user_id is not distinct from $3`,
    [id, zone, providerUserId ?? null],
  );
  if ((await loadFallbackZone(client, userKey)) !== before) await requestRedating(client, userKey);
}
