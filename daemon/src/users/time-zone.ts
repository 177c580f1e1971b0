import { NO_ZONE } from '@healthd/schemas';
import type pg from 'pg';
import { inTransaction, lockUser } from '../platform/database/index.js';
import { unprocessable } from '../platform/failures.js';
import { isStorableZone, requestRedating } from '../store/facts/index.js';
import { previewZoneChange, type ZoneChangePreview } from '../store/write/index.js';

/** @throws Failure `unprocessable` for a zone that the database does not know, though the runtime does */
export async function requireStorableZone(pool: pg.Pool, zone: string): Promise<void> {
  if (!(await isStorableZone(pool, zone))) throw unprocessable(['body', 'time_zone'], NO_ZONE, zone);
}

/** Which days move when a user is given this zone, null for none; undefined when it is the one that they have. */
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

/** Gives a user a zone, null for none, and has what came without an offset dated again by a job. */
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
