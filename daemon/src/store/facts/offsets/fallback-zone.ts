import { isZoneName, type ZoneSighting } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../../platform/database/index.js';

/** SQL of the zone that a connection of the user `$1` has, by the order of the providers' ids where several have one. */
const CONNECTION_ZONE = `(
  select c.time_zone from connection c where c.user_key = $1 and c.time_zone is not null order by c.provider limit 1)`;

/**
 * SQL of the zone that places what came without an offset where nothing was seen within 36 hours: the one that was set
 * for the user, else that of a connection. `$1` is the user.
 */
export const FALLBACK_ZONE = `(
  select coalesce(u.time_zone, ${CONNECTION_ZONE}) from health_user u where u.user_key = $1)`;

/** {@link FALLBACK_ZONE} as it is now. */
function loadFallbackZone(client: pg.ClientBase, userKey: number): Promise<string | undefined> {
  return loadZone(client, userKey, 'records-fallback-zone', FALLBACK_ZONE);
}

/** The zone that places items of a user for whom none is set. */
export function loadConnectionZone(client: pg.ClientBase, userKey: number): Promise<string | undefined> {
  return loadZone(client, userKey, 'records-connection-zone', CONNECTION_ZONE);
}

async function loadZone(client: pg.ClientBase, userKey: number, name: string, zone: string) {
  const text = `select ${zone} as zone`;
  const { rows } = await client.query<{ zone: string | null }>({ name, text, values: [userKey] });
  return rows[0]?.zone ?? undefined;
}

/** Name of the repair that places a user's items without an offset on their days again. */
export const PLACE_ITEMS = 'place_items';

/**
 * Has all items of a user without an offset placed again, in portions, by a job; from the start where it was under way.
 */
export async function requestPlacing(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query(
    `insert into pending_repair (user_key, repair) values ($1, $2)
     on conflict (user_key, repair) do update set retry_at = now(), resume_at = null`,
    [userKey, PLACE_ITEMS],
  );
}

/**
 * Keeps with the connections of phones the zone that their items named on most days; of equally many the one seen last.
 * So a journey moves nothing that is before it. The spans of the batch must be stored.
 * @returns the zone that counts from now on
 */
export async function storePhoneZones(
  client: pg.ClientBase,
  userKey: number,
  sightings: readonly ZoneSighting[],
  before: string | undefined,
): Promise<string | undefined> {
  const { rowCount } = await client.query(
    `insert into connection as c (user_key, provider, time_zone)
     select $1, provider, home.zone from unnest($2::text[]) as told (provider) cross join (
       select zone from offset_day where user_key = $1 and zone is not null
        group by zone order by count(distinct utc_date) desc, max(last_at) desc, zone limit 1) home
     on conflict (user_key, provider) do update set time_zone = excluded.time_zone, updated_at = now()
      where c.time_zone is distinct from excluded.time_zone`,
    [userKey, [...new Set(sightings.map(({ provider }) => provider))]],
  );
  if (rowCount === 0) return before;
  const after = await loadFallbackZone(client, userKey);
  if (after !== before) await requestPlacing(client, userKey);
  return after;
}

/**
 * Stores with a connection the zone of the vendor's account, and has items placed again where it counts. A name
 * that the database does not know is passed over.
 * @throws UserMissingError
 */
export async function storeAccountZone(
  client: pg.ClientBase,
  { id, userKey }: { id: string; userKey: number },
  zone: string,
): Promise<void> {
  if (!(isZoneName(zone) && (await isStorableZone(client, zone)))) return;
  await lockUser(client, userKey);
  const before = await loadFallbackZone(client, userKey);
  await client.query('update connection set time_zone = $2, updated_at = now() where id = $1', [id, zone]);
  if ((await loadFallbackZone(client, userKey)) !== before) await requestPlacing(client, userKey);
}

/**
 * The names of the server that stores them, lower case; a name that only the runtime knows cannot be used in SQL.
 */
let serverZones: Promise<ReadonlySet<string>> | undefined;

/** Whether the database knows a zone of this name too. */
export async function isStorableZone(client: pg.ClientBase | pg.Pool, name: string): Promise<boolean> {
  serverZones ??= (client as pg.Pool)
    .query<{ name: string }>('select lower(name) as name from pg_timezone_names')
    .then(({ rows }) => new Set(rows.map((row) => row.name)));
  try {
    return (await serverZones).has(name.toLowerCase());
  } catch (error) {
    serverZones = undefined;
    throw error;
  }
}
