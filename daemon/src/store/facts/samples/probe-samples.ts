import { MS_PER_HOUR, SLOTS_WITHOUT_ID } from '@healthd/model';
import type pg from 'pg';
import { CONDENSED_MS } from './condensed.js';
import type { SampleGroup } from './sample-group.js';

/** Local dates of two samples further apart than this always differ regardless of their offsets (at most 18 h each way). */
const NEIGHBOUR_REACH_MS = 60 * MS_PER_HOUR;

interface Probed {
  overlaps: boolean;
  may_be_pieces: boolean;
  previous: number | null;
  next: number | null;
}

/** Notes in each group what the table holds around it. */
export async function probeSamples(client: pg.ClientBase, userKey: number, groups: SampleGroup[]): Promise<void> {
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
