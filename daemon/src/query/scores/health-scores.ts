import { scoreScale } from '@healthd/model';
import type { DateOrInstant, Envelope, HealthScore } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { instantBounds, OPEN_END, OPEN_START, sqlInstant } from '../bounds.js';
import { localOffsets } from '../local-offsets.js';
import { instantText, offsetText } from '../presentation.js';
import { sourcesOf, WITH_SOURCES, withheldProviders } from '../sources.js';
import type { Withheld } from '../withheld.js';

interface HealthScoreRow {
  id: string;
  data_source_id: string | null;
  provider: string;
  category: string;
  value: number | null;
  qualifier: string | null;
  recorded_at: Date;
  offset_minutes: number | null;
  components: Record<string, { value?: number | null; qualifier?: string | null } | null> | null;
}

const SELECTED = `c.user_key = $1 and ($2::timestamptz is null or c.recorded_at >= $2)
  and ($3::timestamptz is null or c.recorded_at < $3)
  and ($4::text is null or c.category = $4) and ($5::text is null or c.provider = $5)
  and not c.provider = any ($6::text[])`;

/** Walks the index on (user_key, recorded_at desc, id). Parameters: user, from, before, category, provider, withheld providers, limit, offset. */
const healthScores = statement(
  'health_scores',
  `${WITH_SOURCES}
   select c.id, source.data_source_id, c.provider, c.category, c.value, c.qualifier, c.recorded_at, c.offset_minutes,
     c.components
   from health_score c left join source on source.source_id = c.source_id
   where ${SELECTED}
   order by c.recorded_at desc, c.id limit $7 offset $8`,
);

/** Parameters: user, from, before, category, provider, withheld providers. */
const healthScoreCount = statement(
  'health_score_count',
  `select count(*) as count from health_score c where ${SELECTED}`,
);

export interface HealthScoresParams {
  start?: DateOrInstant;
  end?: DateOrInstant;
  category?: string;
  provider?: string;
  limit: number;
  offset: number;
  /** Providers whose scores are omitted. */
  withheld?: Withheld | undefined;
}

/** Reads scores as the providers computed them, newest first, with the bounds of their scales. */
export async function readHealthScores(
  pool: pg.Pool,
  userKey: number,
  { start, end, category, provider, limit, offset, withheld }: HealthScoresParams,
): Promise<Envelope<HealthScore>> {
  const { fromMs, beforeMs } = instantBounds({ start: start ?? OPEN_START, end: end ?? OPEN_END, endName: 'end_date' });
  const selected = [
    userKey,
    start ? sqlInstant(fromMs) : null,
    end ? sqlInstant(beforeMs) : null,
    category ?? null,
    provider ?? null,
    [...(withheld ?? [])],
  ];
  const missing = withheld?.size ? withheldProviders(await sourcesOf(pool, userKey), withheld) : undefined;
  const [{ rows }, counted] = await Promise.all([
    pool.query<HealthScoreRow>(healthScores([...selected, limit, offset])),
    pool.query<{ count: number }>(healthScoreCount(selected)),
  ]);
  const totalCount = counted.rows[0]?.count ?? 0;
  const localOffsetOf = await localOffsets(pool, userKey, rows, ({ recorded_at }) => recorded_at.getTime());
  return {
    data: rows.map((row) => healthScore(row, localOffsetOf(row))),
    pagination: {
      next_cursor: null,
      previous_cursor: null,
      has_more: offset + rows.length < totalCount,
      total_count: totalCount,
    },
    metadata: {
      resolution: null,
      sample_count: rows.length,
      start_time: start ? instantText(start.ms) : null,
      end_time: end ? instantText(end.ms) : null,
      ...(missing && { withheld: missing }),
    },
  };
}

function healthScore(row: HealthScoreRow, localOffset: string): HealthScore {
  const scale = scoreScale(row.provider, row.category);
  const components = Object.entries(row.components ?? {}).map(([name, part]) => [
    name,
    { value: part?.value ?? null, qualifier: part?.qualifier ?? null },
  ]);
  return {
    category: row.category,
    value: row.value,
    min: scale?.min ?? null,
    max: scale?.max ?? null,
    qualifier: row.qualifier,
    recorded_at: instantText(row.recorded_at),
    zone_offset: offsetText(row.offset_minutes),
    local_offset: localOffset,
    components: row.components && Object.fromEntries(components),
    id: row.id,
    data_source_id: row.data_source_id,
    provider: row.provider,
  };
}
