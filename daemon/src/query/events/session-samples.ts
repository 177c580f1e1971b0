import { type SeriesCode, seriesTypeByCode } from '@healthd/model';
import type { SessionSamples } from '@healthd/schemas';
import type pg from 'pg';
import { sampleKind, statement } from '../../platform/database/index.js';
import { instantText } from '../presentation.js';

/** Maximum number of samples of one series. One hour with a sample per second fits. */
const LONGEST_SERIES = 5_000;

const sessionSamples = statement(
  'session_samples',
  `select wanted.type_id, inside.at, inside.value
   from unnest($5::int2[]) with ordinality as wanted(type_id, position)
   cross join lateral (
     select m.start_at as at, m.value from sample m
     where m.user_key = $1 and m.type_id = wanted.type_id and m.source_id = $2 and ${sampleKind('m.')} = 0
       and m.start_at >= $3::timestamptz and m.start_at < $4::timestamptz
     order by m.start_at limit $6
   ) inside
   order by wanted.position, inside.at`,
);

/** Reads the samples of the session's source in `[start, end)`, with a maximum per series. */
export async function samplesInside(
  pool: pg.Pool,
  userKey: number,
  session: { source_id: number; start_at: Date; end_at: Date },
  codes: readonly SeriesCode[],
): Promise<SessionSamples> {
  const types = codes.map((code) => seriesTypeByCode(code));
  const { rows } = await pool.query<{ type_id: number; at: Date; value: number }>(
    sessionSamples([
      userKey,
      session.source_id,
      session.start_at.toISOString(),
      session.end_at.toISOString(),
      types.map((type) => type.id),
      LONGEST_SERIES + 1,
    ]),
  );
  return types.flatMap(({ id, code, unit }) => {
    const samples = rows.filter((row) => row.type_id === id);
    if (samples.length === 0) return [];
    return {
      type: code,
      unit,
      samples: samples.slice(0, LONGEST_SERIES).map(({ at, value }) => ({ timestamp: instantText(at), value })),
      complete: samples.length <= LONGEST_SERIES,
    };
  });
}
