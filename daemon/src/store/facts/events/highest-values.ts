import { MAX_OFFSET_MS, MS_PER_DAY, SAMPLE_KIND_CODE } from '@healthd/model';
import { sampleKind } from '../../../platform/database/index.js';
import type { WriteContext } from '../write-context.js';
import type { ScoreRow } from './event-kinds.js';

/**
 * Gives scores that are the highest of a series their values. The samples of the batch must be stored by then. Where
 * samples of the time may have been archived the score that is stored counts too.
 */
export async function withHighestValues(
  { client, userKey, archivedBefore }: WriteContext,
  scores: readonly ScoreRow[],
): Promise<ScoreRow[]> {
  const wanted = scores.flatMap(({ highestOf, ...row }) => (highestOf ? [{ row, highestOf }] : []));
  if (wanted.length === 0) return [...scores];
  const spans = wanted.flatMap(({ highestOf }, index) =>
    highestOf.spans.map((span) => ({ position: index + 1, ...span })),
  );
  const archivedUntilMs = archivedBefore === undefined ? 0 : archivedBefore * MS_PER_DAY + MAX_OFFSET_MS;
  const { rows } = await client.query<{ highest: number | null; known: number | null }>(
    `select (select max(in_span.value)
               from unnest($8::int[], $9::float8[], $10::float8[]) as span (position, start_ms, end_ms)
               cross join lateral (
                 select max(s.value) as value from sample s
                  where s.user_key = $1 and s.type_id = w.type_id and s.source_id = w.source_id
                    and s.start_at >= to_timestamp(span.start_ms / 1000) and s.start_at < to_timestamp(span.end_ms / 1000)
                    and ${sampleKind('s.')} = ${SAMPLE_KIND_CODE.sample}) in_span
              where span.position = w.position) as highest,
            (select h.value from health_score h
              where h.user_key = $1 and h.source_id = w.source_id and h.category = w.category
                and h.external_id = w.external_id and w.start_ms < $7) as known
       from unnest($2::int[], $3::int[], $4::float8[], $5::text[], $6::text[]) with ordinality
            as w (type_id, source_id, start_ms, category, external_id, position)
      order by w.position`,
    [
      userKey,
      wanted.map(({ highestOf }) => highestOf.typeId),
      wanted.map(({ row }) => row.sourceId),
      wanted.map(({ highestOf }) => Math.min(...highestOf.spans.map(({ startMs }) => startMs))),
      wanted.map(({ row }) => row.category),
      wanted.map(({ row }) => row.externalId ?? null),
      archivedUntilMs,
      spans.map(({ position }) => position),
      spans.map(({ startMs }) => startMs),
      spans.map(({ endMs }) => endMs),
    ],
  );
  const found = rows.values();
  return scores.map((score) => {
    if (!score.highestOf) return score;
    const { highest, known } = found.next().value ?? { highest: null, known: null };
    const values = [score.value, highest, known].filter((value) => value !== undefined && value !== null);
    return values.length === 0 ? score : { ...score, value: Math.max(...values) };
  });
}
