import type { Archival } from '@healthd/schemas';
import type pg from 'pg';
import type { ResultCache } from '../platform/result-cache.js';
import type { ArchivalSettings } from './archival-settings.js';

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

interface SizeRow {
  part: 'live' | 'archive' | 'other';
  data: number;
  index: number;
}

/**
 * Number of stored samples (`live`), of archived days per series and source, and of the days that the stored samples
 * span.
 */
export interface StorageCounts {
  live: number;
  archived: number;
  span: number | null;
}

const SIZES = `
select case when c.relname = 'sample' then 'live'
            when c.relname in ('user_archive', 'day_archive', 'archived_minute', 'merged_archive', 'night_archive', 'night_source')
              then 'archive'
            else 'other' end as part,
       sum(pg_table_size(c.oid))::int8 as data, sum(pg_indexes_size(c.oid))::int8 as index
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where n.nspname = 'public' and c.relkind in ('r', 'p', 'm')
 group by 1`;

/** Uses the daily roll-up, so that the cost grows with days, not with samples. */
const COUNTS = `
select coalesce(sum(points - removed), 0)::int8 as live, count(*) filter (where removed > 0) as archived,
       max(local_date) filter (where points > removed) - min(local_date) filter (where points > removed) + 1 as span
  from (select v.local_date, v.sample_count + v.total_count + v.aggregate_count as points,
               coalesce(a.sample_count, 0) as removed
          from day_value v
          left join day_archive a on a.user_key = v.user_key and a.type_id = v.type_id
                                 and a.local_date = v.local_date and a.source_id = v.source_id) days`;

/** Returns the space that samples and archived days use, and its growth. */
export async function readStorage(
  pool: pg.Pool,
  settings: ArchivalSettings,
  countsCache: ResultCache<StorageCounts | undefined>,
): Promise<Archival['storage']> {
  const [sizes, counts] = await Promise.all([
    pool.query<SizeRow>(SIZES),
    countsCache.get('counts', async () => (await pool.query<StorageCounts>(COUNTS)).rows[0]),
  ]);
  const size = (part: SizeRow['part']) => sizes.rows.find((row) => row.part === part) ?? { data: 0, index: 0 };
  const [live, archive, other] = [size('live'), size('archive'), size('other')];
  const [liveTotal, archiveTotal, otherTotal] = [live, archive, other].map(({ data, index }) => data + index) as [
    number,
    number,
    number,
  ];
  const total = liveTotal + archiveTotal + otherTotal;
  const { live: liveRows = 0, archived: archivedRows = 0, span = null } = counts ?? {};
  return {
    live_data_bytes: live.data,
    live_index_bytes: live.index,
    archive_data_bytes: archive.data,
    archive_index_bytes: archive.index,
    other_tables_bytes: otherTotal,
    total_bytes: total,
    live_row_count: liveRows,
    archive_row_count: archivedRows,
    live_data_span_days: span ?? 0,
    avg_bytes_per_live_row: perRow(liveTotal, liveRows),
    avg_bytes_per_archive_row: perRow(archiveTotal, archivedRows),
    live_total_pretty: prettyBytes(liveTotal),
    live_data_pretty: prettyBytes(live.data),
    live_index_pretty: prettyBytes(live.index),
    archive_total_pretty: prettyBytes(archiveTotal),
    archive_data_pretty: prettyBytes(archive.data),
    archive_index_pretty: prettyBytes(archive.index),
    other_tables_pretty: prettyBytes(otherTotal),
    total_pretty: prettyBytes(total),
    growth_class:
      settings.deleteAfterDays !== null
        ? 'bounded'
        : settings.archiveAfterDays !== null
          ? 'linear_efficient'
          : 'linear',
  };
}

function perRow(bytes: number, rows: number): number {
  return rows === 0 ? 0 : Math.round((10 * bytes) / rows) / 10;
}

/** Formats a size: `0 B`, `512 B`, `40.00 KB`. */
export function prettyBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let scaled = bytes / 1024;
  let unit = 0;
  for (; scaled >= 1024 && unit < UNITS.length - 1; unit++) scaled /= 1024;
  return `${scaled.toFixed(2)} ${UNITS[unit]}`;
}
