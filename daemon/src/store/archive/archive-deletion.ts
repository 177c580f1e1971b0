import {
  type DeletionRecord,
  dayStartMs,
  fromDayNumber,
  MS_PER_DAY,
  NIGHTLY_TYPE_IDS,
  PLACE_TYPE_IDS,
} from '@healthd/model';
import type pg from 'pg';
import { groupedBy } from '../../platform/grouped-by.js';
import { type ArchivedDay, ArchivedDays } from '../facts/archived/archived-day.js';
import { loadArchivedMinutes, replaceArchivedMinutes } from '../facts/archived/minute-store.js';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import type { WriteContext } from '../facts/write-context.js';

/**
 * Finds the archived local days that the deletion covers completely. Keeps partly covered days, because a part cannot be
 * subtracted from their totals.
 * @param sourceIds sources of the deletion's provider
 */
export async function findArchived(
  { client, userKey, archivedBefore, timeline }: WriteContext,
  { typeId, startMs, endMs }: DeletionRecord & { of: 'samples' },
  sourceIds: readonly number[],
): Promise<ArchivedDay[]> {
  const firstDay = Math.floor(startMs / MS_PER_DAY) - 1;
  if (archivedBefore === undefined || firstDay >= archivedBefore) return [];
  const lastDay = Math.min(Math.floor(endMs / MS_PER_DAY) + 1, archivedBefore);
  const archived = await ArchivedDays.load(client, userKey, { typeIds: [typeId], firstDay, lastDay });
  const isCovered = ({ fromMs, toMs }: Span) => fromMs >= startMs && toMs <= endMs;
  return archived.all().filter(({ sourceId, day }) => sourceIds.includes(sourceId) && isCovered(spanOf(day, timeline)));
}

/**
 * Finds the archived positions of an inclusive range of local days. Selects all positions of a day, because the day's
 * last position cannot be attributed to one of several workouts.
 */
export async function findArchivedPlaces(
  { client, userKey, archivedBefore }: WriteContext,
  { firstDay, lastDay, sourceIds }: { firstDay: number; lastDay: number; sourceIds: readonly number[] },
): Promise<ArchivedDay[]> {
  if (archivedBefore === undefined || firstDay >= archivedBefore) return [];
  const archived = await ArchivedDays.load(client, userKey, { typeIds: PLACE_TYPE_IDS, firstDay, lastDay });
  return archived.all().filter(({ sourceId }) => sourceIds.includes(sourceId));
}

/** Deletes the totals of archived days, the minutes that they cover, and nightly readings on their dates. */
export async function deleteArchivedDays(context: WriteContext, days: readonly ArchivedDay[]): Promise<void> {
  for (const [typeId, ofType] of groupedBy(days, (day) => day.typeId)) {
    await deleteDays(context, typeId, ofType);
    if (!NIGHTLY_TYPE_IDS.includes(typeId)) continue;
    await context.client.query(
      `delete from night_archive a using unnest($3::date[], $4::int4[]) as gone (wake_date, source_id)
        where a.user_key = $1 and a.type_id = $2 and a.wake_date = gone.wake_date and a.source_id = gone.source_id`,
      [context.userKey, typeId, ofType.map(({ day }) => fromDayNumber(day)), ofType.map(({ sourceId }) => sourceId)],
    );
  }
}

/**
 * Deletes the archived readings of a source's nights after some of their sessions were deleted. Several sessions share
 * one total, so the readings of the remaining sessions are deleted too: keeping deleted data would be worse.
 */
export async function deleteArchivedNights(
  client: pg.ClientBase,
  userKey: number,
  { sourceId, dates }: { sourceId: number; dates: readonly string[] },
): Promise<void> {
  if (dates.length === 0) return;
  await client.query(
    'delete from night_archive where user_key = $1 and wake_date = any ($3::date[]) and night_source_id = $2',
    [userKey, sourceId, dates],
  );
}

interface Span {
  fromMs: number;
  toMs: number;
}

/** Returns the span of a local day, by the offset at its noon. */
function spanOf(day: number, timeline: OffsetTimeline): Span {
  const offset = timeline.offsetAt((day + 0.5) * MS_PER_DAY);
  return { fromMs: dayStartMs(day, offset), toMs: dayStartMs(day + 1, offset) };
}

/** Deletes the totals of one series' archived days, and the minutes that they cover. */
async function deleteDays(
  { client, userKey, timeline }: WriteContext,
  typeId: number,
  days: readonly ArchivedDay[],
): Promise<void> {
  for (const table of ['day_archive', 'merged_archive']) {
    await client.query(
      `delete from ${table} a using unnest($3::date[], $4::int4[]) as gone (local_date, source_id)
        where a.user_key = $1 and a.type_id = $2 and a.local_date = gone.local_date and a.source_id = gone.source_id`,
      [userKey, typeId, days.map(({ day }) => fromDayNumber(day)), days.map(({ sourceId }) => sourceId)],
    );
  }
  const spans = days.map(({ day, sourceId }) => ({ ...spanOf(day, timeline), sourceId }));
  const minutes = await loadArchivedMinutes(
    client,
    userKey,
    spans.map(({ fromMs, toMs }) => ({ typeId, fromMs, toMs })),
  );
  for (const { sourceId, fromMs, toMs } of spans) minutes.clear(sourceId, fromMs, toMs);
  await replaceArchivedMinutes(client, userKey, minutes);
}
