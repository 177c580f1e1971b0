import { statement } from '../../platform/database/index.js';

export interface HealthScoreRow {
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
export const healthScores = statement(
  'health_scores',
  `select c.id, s.id as data_source_id, c.provider, c.category, c.value, c.qualifier, c.recorded_at, c.offset_minutes,
     c.components
   from health_score c left join data_source s on s.user_key = $1 and s.source_id = c.source_id
   where ${SELECTED}
   order by c.recorded_at desc, c.id limit $7 offset $8`,
);

/** Parameters: user, from, before, category, provider, withheld providers. */
export const healthScoreCount = statement(
  'health_score_count',
  `select count(*) as count from health_score c where ${SELECTED}`,
);
