import { ARCHIVED_TYPE_IDS, fromDayNumber, MS_PER_DAY } from '@healthd/model';
import type { ArchivalPreview } from '@healthd/schemas';
import type pg from 'pg';
import { isNeverArchived } from '../store/archive/index.js';
import type { ArchivalSettings } from './archival-settings.js';

interface Row {
  users: number;
  days: number;
  samples: number;
}

/**
 * Start of a query that counts affected users, days and samples. Uses the daily roll-up, like a run, so that the cost
 * grows with days, not with samples.
 */
const CONCERNED = `
select count(distinct v.user_key)::int4 as users, count(distinct (v.user_key, v.local_date))::int8 as days,
       coalesce(sum(amount.samples), 0)::int8 as samples
  from day_value v
  left join day_archive a on a.user_key = v.user_key and a.type_id = v.type_id
                         and a.local_date = v.local_date and a.source_id = v.source_id
 cross join lateral (select `;

/** Samples that a run would archive. Excludes days that are due for deletion. */
const TO_ARCHIVE = `${CONCERNED} v.sample_count - coalesce(a.sample_count, 0) as samples) amount
 where v.local_date < $1::date and ($2::date is null or v.local_date >= $2::date) and v.type_id = any ($3::int2[])
   and amount.samples > 0
   and not exists (
     select from data_source s where s.user_key = v.user_key and s.source_id = v.source_id and ${isNeverArchived('s', '$4')})`;

const TO_DELETE = `${CONCERNED} v.sample_count + v.total_count + v.aggregate_count as samples) amount
 where v.local_date < $1::date`;

/** Returns what a run with these settings would archive and delete now. */
export async function previewArchival(
  pool: pg.Pool,
  { archiveAfterDays, deleteAfterDays }: ArchivalSettings,
  nowMs: number,
  neverArchived: readonly string[],
): Promise<ArchivalPreview> {
  const today = Math.floor(nowMs / MS_PER_DAY);
  const before = (days: number | null) => (days === null ? null : fromDayNumber(today - days));
  const [archiveBefore, deleteBefore] = [before(archiveAfterDays), before(deleteAfterDays)];
  const [archive, deletion] = await Promise.all([
    archiveBefore === null
      ? NOTHING
      : pool.query<Row>(TO_ARCHIVE, [archiveBefore, deleteBefore, ARCHIVED_TYPE_IDS, neverArchived]),
    deleteBefore === null ? NOTHING : pool.query<Row>(TO_DELETE, [deleteBefore]),
  ]);
  const of = ({ rows }: { rows: Row[] }) => rows[0] ?? { users: 0, days: 0, samples: 0 };
  return { archive: { before: archiveBefore, ...of(archive) }, delete: { before: deleteBefore, ...of(deletion) } };
}

const NOTHING: { rows: Row[] } = { rows: [] };
