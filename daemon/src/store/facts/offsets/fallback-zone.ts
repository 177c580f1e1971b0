import type pg from 'pg';

/** Returns SQL for the time zone of a user's connections. With several connections, uses the first by provider id. */
function connectionZoneOf(userKey: string): string {
  return `(
  select c.time_zone from connection c where c.user_key = ${userKey} and c.time_zone is not null order by c.provider limit 1)`;
}

/**
 * Returns SQL for the fallback zone of a user: the user's own setting, otherwise a connection's zone. It dates items
 * without an offset if no offset was observed within 36 hours.
 * @param userKey SQL of the user's key, which must not use the alias `u`
 */
export function fallbackZoneOf(userKey: string): string {
  return `(
  select coalesce(u.time_zone, ${connectionZoneOf(userKey)}) from health_user u where u.user_key = ${userKey})`;
}

/** SQL for the fallback zone of user `$1`; see {@link fallbackZoneOf}. */
export const FALLBACK_ZONE = fallbackZoneOf('$1');

/** Loads the current {@link FALLBACK_ZONE}. */
export function loadFallbackZone(client: pg.Pool | pg.ClientBase, userKey: number): Promise<string | undefined> {
  return loadZone(client, userKey, 'records-fallback-zone', FALLBACK_ZONE);
}

/** Loads the fallback zone that applies if the user has no zone setting. */
export function loadConnectionZone(client: pg.ClientBase, userKey: number): Promise<string | undefined> {
  return loadZone(client, userKey, 'records-connection-zone', connectionZoneOf('$1'));
}

async function loadZone(client: pg.Pool | pg.ClientBase, userKey: number, name: string, zone: string) {
  const text = `select ${zone} as zone`;
  const { rows } = await (client as pg.Pool).query<{ zone: string | null }>({ name, text, values: [userKey] });
  return rows[0]?.zone ?? undefined;
}

/**
 * Loads the zone that the user's phones reported on most days. On a tie, loads the latest zone. Because most days
 * decide, a journey does not redate earlier items.
 */
export async function loadHomeZone(client: pg.ClientBase, userKey: number): Promise<string | undefined> {
  const { rows } = await client.query<{ zone: string }>({
    name: 'records-home-zone',
    text: `select zone from offset_day where user_key = $1 and zone is not null
            group by zone order by count(distinct utc_date) desc, max(last_at) desc, zone limit 1`,
    values: [userKey],
  });
  return rows[0]?.zone;
}

/** Zone names that the database server supports, in lower case. Its list does not change while it runs. */
let serverZones: Promise<ReadonlySet<string>> | undefined;

/** Returns the zone names that the database supports, in lower case. A zone that only the runtime supports fails in SQL. */
export async function loadServerZones(client: pg.ClientBase | pg.Pool): Promise<ReadonlySet<string>> {
  serverZones ??= (client as pg.Pool)
    .query<{ name: string }>('select lower(name) as name from pg_timezone_names')
    .then(({ rows }) => new Set(rows.map((row) => row.name)));
  try {
    return await serverZones;
  } catch (error) {
    serverZones = undefined;
    throw error;
  }
}

/** True if the database supports a zone of this name. */
export async function isStorableZone(client: pg.ClientBase | pg.Pool, name: string): Promise<boolean> {
  return (await loadServerZones(client)).has(name.toLowerCase());
}
