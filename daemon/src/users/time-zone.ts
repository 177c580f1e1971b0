import { NO_ZONE } from '@healthd/schemas';
import type pg from 'pg';
import { inTransaction, lockUser } from '../platform/database/index.js';
import { unprocessable } from '../platform/failures.js';
import { isStorableZone, requestRedating } from '../store/facts/index.js';
import { previewZoneChange, type ZoneChangePreview } from '../store/write/index.js';

/** Rejects a time zone that the runtime supports but the database does not. @throws Failure `unprocessable` */
export async function requireStorableZone(pool: pg.Pool, zone: string): Promise<void> {
  if (!(await isStorableZone(pool, zone))) throw unprocessable(['body', 'time_zone'], NO_ZONE, zone);
}

/**
 * Returns the days that would change if the user got this time zone (null for none); undefined if it is already set.
 */
export async function daysMovedBy(
  pool: pg.Pool,
  userKey: number,
  zone: string | null,
): Promise<ZoneChangePreview | undefined> {
  return inTransaction(pool, async (client) => {
    if ((await zoneOf(client, userKey)) === zone) return undefined;
    return previewZoneChange(client, userKey, zone ?? undefined);
  });
}

/** Sets a user's time zone (null for none). A job then recomputes the dates of data that arrived without an offset. */
export async function setTimeZone(pool: pg.Pool, userKey: number, zone: string | null): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockUser(client, userKey);
    if ((await zoneOf(client, userKey)) === zone) return;
    await client.query('update health_user set time_zone = $2, updated_at = now() where user_key = $1', [
      userKey,
      zone,
    ]);
    await requestRedating(client, userKey);
  });
}

async function zoneOf(client: pg.ClientBase, userKey: number): Promise<string | null> {
  const { rows } = await client.query<{ time_zone: string | null }>(
    'select time_zone from health_user where user_key = $1',
    [userKey],
  );
  return rows[0]?.time_zone ?? null;
}
