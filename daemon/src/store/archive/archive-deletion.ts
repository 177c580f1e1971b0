import { type DeletionRecord, dayStartMs, fromDayNumber, MS_PER_DAY, NIGHTLY_TYPE_IDS } from '@healthd/model';
import { type ArchivedDay, ArchivedDays } from '../facts/archived/archived-day.js';
import { loadArchivedMinutes, replaceArchivedMinutes } from '../facts/archived/minute-store.js';
import type { WriteContext } from '../facts/write-context.js';

/**
 * Deletes the totals of archived samples of the local days that the deletion covers from midnight to midnight. A part
 * of an archived day cannot be taken out of its totals any more, so it stays.
 * @param sourceIds the sources of the deletion's provider
 * @returns the days that are gone
 */
export async function deleteArchived(
  { client, userKey, archivedBefore, timeline }: WriteContext,
  { typeId, provider, startMs, endMs }: DeletionRecord & { of: 'samples' },
  sourceIds: readonly number[],
): Promise<ArchivedDay[]> {
  const firstDay = Math.floor(startMs / MS_PER_DAY) - 1;
  if (archivedBefore === undefined || firstDay >= archivedBefore) return [];
  const lastDay = Math.min(Math.floor(endMs / MS_PER_DAY) + 1, archivedBefore);
  const archived = await ArchivedDays.load(client, userKey, { typeIds: [typeId], firstDay, lastDay });
  const own = archived.all().filter(({ sourceId }) => sourceIds.includes(sourceId));
  const spanOf = ({ day }: ArchivedDay) => {
    const offset = timeline.offsetAt((day + 0.5) * MS_PER_DAY);
    return { fromMs: dayStartMs(day, offset), toMs: dayStartMs(day + 1, offset) };
  };
  const whole = own.filter((day) => spanOf(day).fromMs >= startMs && spanOf(day).toMs <= endMs);
  if (whole.length === 0) return [];
  for (const table of ['day_archive', 'merged_archive']) {
    await client.query(
      `delete from ${table} a using unnest($3::date[], $4::int4[]) as gone (local_date, source_id)
        where a.user_key = $1 and a.type_id = $2 and a.local_date = gone.local_date and a.source_id = gone.source_id`,
      [userKey, typeId, whole.map(({ day }) => fromDayNumber(day)), whole.map(({ sourceId }) => sourceId)],
    );
  }
  const spans = whole.map((day) => ({ ...spanOf(day), sourceId: day.sourceId }));
  const minutes = await loadArchivedMinutes(
    client,
    userKey,
    spans.map(({ fromMs, toMs }) => ({ typeId, fromMs, toMs })),
  );
  for (const { sourceId, fromMs, toMs } of spans) minutes.clear(sourceId, fromMs, toMs);
  await replaceArchivedMinutes(client, userKey, minutes);
  if (NIGHTLY_TYPE_IDS.includes(typeId)) {
    await client.query(
      'delete from night_archive where user_key = $1 and type_id = $2 and provider = $3 and wake_date = any ($4::date[])',
      [userKey, typeId, provider, whole.map(({ day }) => fromDayNumber(day))],
    );
  }
  return whole;
}
