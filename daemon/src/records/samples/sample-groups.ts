import type pg from 'pg';
import type { SampleRows } from './sample-rows.js';

/** Local dates of two samples further apart than this always differ, whatever their offsets (at most 18 h each way). */
const NEIGHBOUR_REACH_MS = 60 * 3_600_000;

/** The rows of one series from one source within a batch, and what the table already holds around them. */
export interface SampleGroup {
  typeId: number;
  sourceId: number;
  firstMs: number;
  lastMs: number;
  /** True when the table holds samples of this series and source from the first to the last start. */
  overlaps: boolean;
  /** Nearest stored starts before and after, when near enough to share a local date. */
  previousMs?: number;
  nextMs?: number;
}

/** Rows sorted into groups. */
export interface GroupedSamples {
  groups: SampleGroup[];
  /** For each row the index of its group. */
  groupOfRow: Uint32Array;
}

/**
 * Sorts the rows into groups and asks the table what it holds around each. The user's row is locked, so a range found
 * empty stays empty: its rows need no conflict rule, and its days are known without reading them back.
 */
export async function groupSamples(client: pg.ClientBase, userKey: number, rows: SampleRows): Promise<GroupedSamples> {
  const groups: SampleGroup[] = [];
  const groupOfRow = new Uint32Array(rows.length);
  const indexOfKey = new Map<number, number>();
  for (let row = 0; row < rows.length; row++) {
    const typeId = rows.typeId[row] as number;
    const sourceId = rows.sourceId[row] as number;
    const startMs = rows.startMs[row] as number;
    const key = sourceId * 65_536 + typeId;
    let index = indexOfKey.get(key);
    if (index === undefined) {
      index = groups.push({ typeId, sourceId, firstMs: startMs, lastMs: startMs, overlaps: false }) - 1;
      indexOfKey.set(key, index);
    }
    (groups[index] as SampleGroup).lastMs = startMs;
    groupOfRow[row] = index;
  }
  await probe(client, userKey, groups);
  return { groups, groupOfRow };
}

async function probe(client: pg.ClientBase, userKey: number, groups: SampleGroup[]): Promise<void> {
  if (groups.length === 0) return;
  const { rows } = await client.query<{ overlaps: boolean; previous: number | null; next: number | null }>({
    name: 'records-probe-samples',
    text: PROBE,
    values: [
      userKey,
      groups.map(({ typeId }) => typeId),
      groups.map(({ sourceId }) => sourceId),
      groups.map(({ firstMs }) => firstMs),
      groups.map(({ lastMs }) => lastMs),
      NEIGHBOUR_REACH_MS,
    ],
  });
  groups.forEach((group, index) => {
    const found = rows[index];
    if (!found) return;
    group.overlaps = found.overlaps;
    group.previousMs = found.previous ?? undefined;
    group.nextMs = found.next ?? undefined;
  });
}

const PROBE = `
select exists (select from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at between to_timestamp(g.first_ms / 1000) and to_timestamp(g.last_ms / 1000)) as overlaps,
       extract(epoch from (select max(s.start_at) from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at < to_timestamp(g.first_ms / 1000)
                  and s.start_at >= to_timestamp((g.first_ms - $6) / 1000)))::float8 * 1000 as previous,
       extract(epoch from (select min(s.start_at) from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at > to_timestamp(g.last_ms / 1000)
                  and s.start_at <= to_timestamp((g.last_ms + $6) / 1000)))::float8 * 1000 as next
  from unnest($2::smallint[], $3::int[], $4::float8[], $5::float8[]) with ordinality
       as g (type_id, source_id, first_ms, last_ms, position)
 order by position`;
