import { MS_PER_HOUR, SLOTS_WITHOUT_ID } from '@healthd/model';
import type pg from 'pg';
import { CONDENSED_MS, isSummed, mayBeCondensed } from './condensed.js';
import { endSecond, startSecond } from './sample-cell.js';
import type { SampleRows } from './sample-rows.js';

/** Local dates of two samples further apart than this always differ regardless of their offsets (at most 18 h each way). */
const NEIGHBOUR_REACH_MS = 60 * MS_PER_HOUR;

/** The rows of one series from one source within a batch, and what the table already holds around them. */
export interface SampleGroup {
  typeId: number;
  sourceId: number;
  /** Whole seconds from the first start on, in which samples may lie that rows of the batch are. */
  firstMs: number;
  lastMs: number;
  /** True when the table holds samples of this series and source that start from `firstMs` to `lastMs`. */
  overlaps: boolean;
  /** The series is summed and the batch has samples of it, not totals alone, so that one may stand for several. */
  isSummed: boolean;
  /** True when the table holds such samples that reach into the group's time. */
  mayBePieces: boolean;
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
    const firstMs = startSecond(rows, row) * 1000;
    const lastMs = ((mayBeCondensed(rows, row) ? endSecond(rows, row) : startSecond(rows, row)) + 1) * 1000 - 1;
    const key = sourceId * 65_536 + typeId;
    let index = indexOfKey.get(key);
    if (index === undefined) {
      index =
        groups.push({
          typeId,
          sourceId,
          firstMs,
          lastMs,
          overlaps: false,
          isSummed: false,
          mayBePieces: false,
        }) - 1;
      indexOfKey.set(key, index);
    }
    const group = groups[index] as SampleGroup;
    if (lastMs > group.lastMs) group.lastMs = lastMs;
    // The first of a day is often its total, which is none of the pieces.
    if (!group.isSummed) group.isSummed = isSummed(rows, row);
    groupOfRow[row] = index;
  }
  await probe(client, userKey, groups);
  return { groups, groupOfRow };
}

interface Probed {
  overlaps: boolean;
  may_be_pieces: boolean;
  previous: number | null;
  next: number | null;
}

async function probe(client: pg.ClientBase, userKey: number, groups: SampleGroup[]): Promise<void> {
  if (groups.length === 0) return;
  const { rows } = await client.query<Probed>({
    name: 'records-probe-samples',
    text: PROBE,
    values: [
      userKey,
      groups.map(({ typeId }) => typeId),
      groups.map(({ sourceId }) => sourceId),
      groups.map(({ firstMs }) => firstMs),
      groups.map(({ lastMs }) => lastMs),
      NEIGHBOUR_REACH_MS,
      groups.map((group) => group.isSummed),
    ],
  });
  groups.forEach((group, index) => {
    const found = rows[index];
    if (!found) return;
    group.overlaps = found.overlaps;
    group.mayBePieces = found.may_be_pieces;
    group.previousMs = found.previous ?? undefined;
    group.nextMs = found.next ?? undefined;
  });
}

const PROBE = `
select exists (select from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at between to_timestamp(g.first_ms / 1000) and to_timestamp(g.last_ms / 1000)) as overlaps,
       g.is_summed and exists (
         select from sample s
          where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id and s.slot < ${SLOTS_WITHOUT_ID}
            and s.start_at between to_timestamp((g.first_ms - ${CONDENSED_MS.most}) / 1000) and to_timestamp(g.last_ms / 1000)
            and s.duration_ms > ${CONDENSED_MS.above} and s.duration_ms <= ${CONDENSED_MS.most}
            and s.start_at + s.duration_ms * interval '1 millisecond' > to_timestamp(g.first_ms / 1000)) as may_be_pieces,
       extract(epoch from (select max(s.start_at) from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at < to_timestamp(g.first_ms / 1000)
                  and s.start_at >= to_timestamp((g.first_ms - $6) / 1000)))::float8 * 1000 as previous,
       extract(epoch from (select min(s.start_at) from sample s
                where s.user_key = $1 and s.type_id = g.type_id and s.source_id = g.source_id
                  and s.start_at > to_timestamp(g.last_ms / 1000)
                  and s.start_at <= to_timestamp((g.last_ms + $6) / 1000)))::float8 * 1000 as next
  from unnest($2::smallint[], $3::int[], $4::float8[], $5::float8[], $7::boolean[]) with ordinality
       as g (type_id, source_id, first_ms, last_ms, is_summed, position)
 order by position`;
