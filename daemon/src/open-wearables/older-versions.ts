import { overlapsAny } from '@healthd/model';
import type { SourceDatabase } from './source-database.js';

interface VersionRow {
  id: string;
  /** Identity of the item; equal for all its versions. */
  item: string;
  from_ms: number;
  to_ms: number;
}

/** SQL condition: event `e` is an older version. @param parameter SQL parameter with the IDs of older versions */
export const isOlderVersion = (parameter: string) => `e.id in (select unnest(${parameter}::uuid[]))`;

/**
 * Reads the IDs of events that are older versions of another event. When the start or end of a vendor's item changes,
 * Open Wearables adds another row. The versions of an item share one ID and overlap in time.
 *
 * Compares here instead of in SQL, which would compare each version with all newer versions of its item.
 * @param sourceIds data sources whose events are read; default: all
 */
export async function readOlderVersions(database: SourceDatabase, sourceIds?: readonly string[]): Promise<string[]> {
  const rows = database.stream<VersionRow>(
    `select id, item, from_ms, to_ms
       from (select e.id, e.created_at, json_build_array(e.data_source_id, e.category, e.external_id)::text as item,
                    extract(epoch from least(e.start_datetime, e.end_datetime))::float8 * 1000 as from_ms,
                    extract(epoch from greatest(e.start_datetime, e.end_datetime))::float8 * 1000 as to_ms,
                    count(*) over (partition by e.data_source_id, e.category, e.external_id) as versions
               from event_record e
              where e.external_id is not null and ($1::uuid[] is null or e.data_source_id = any ($1::uuid[]))) e
      where versions > 1
      order by item, created_at desc, id desc`,
    [sourceIds ?? null],
  );
  const older: string[] = [];
  let item: string | undefined;
  let newer: [from: number, to: number][] = [];
  for await (const row of rows) {
    if (row.item !== item) {
      item = row.item;
      newer = [];
    }
    const span: [number, number] = [row.from_ms, row.to_ms];
    if (overlapsAny(newer, span)) older.push(row.id);
    addSpan(newer, span);
  }
  return older;
}

/** Adds a span to sorted spans that do not overlap. Joins it with spans that it touches. */
function addSpan(spans: [from: number, to: number][], [from, to]: [number, number]): void {
  const first = countBefore(spans, ([, end]) => end < from);
  const after = countBefore(spans, ([start]) => start <= to);
  const joined = spans.slice(first, after);
  spans.splice(first, after - first, [Math.min(from, joined[0]?.[0] ?? from), Math.max(to, joined.at(-1)?.[1] ?? to)]);
}

/** Counts the leading spans for which a condition is true. */
function countBefore(spans: readonly [number, number][], isBefore: (span: [number, number]) => boolean): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(spans[middle] as [number, number])) low = middle + 1;
    else high = middle;
  }
  return low;
}
