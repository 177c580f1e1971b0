import { SLEEP_LENGTH } from '@healthd/model';
import type pg from 'pg';
import { lockUser, ONE_LOOK_EACH } from '../../platform/database/index.js';
import { longestPause } from '../decide/assembly.js';
import { CHANGE } from '../facts/change.js';
import { DirtyDays } from '../facts/dirty-days.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import { loadContext } from './load-context.js';
import { reassemble } from './plan-sleep.js';
import { refreshRollUps } from './roll-up-invalidations.js';

/** Maximum number of spans per transaction. Spans with the same start as the last span are added. Limits how long the user's row is locked. */
const SPANS_AT_ONCE = 1_000;

/**
 * Reassembles one chunk of a user's sleep that has vendor session ids: stages without a session, and sessions that may
 * contain a long pause. Runs in the caller's transaction. If a stage had a wrong time, earlier releases dropped its
 * session or extended the session to that stage.
 * @param from start of the chunk; undefined for the first chunk
 * @returns the number of changed wake dates and the start of the next chunk, if any
 * @throws UserMissingError
 */
export async function assembleLostNights(
  client: pg.ClientBase,
  userKey: number,
  sleepEndGapMinutes: number,
  from?: Date,
): Promise<{ corrected: number; resumeAt?: Date }> {
  await lockUser(client, userKey);
  const { rows: spans } = await client.query<SourceSpan>(
    `select source_id as "sourceId", extract(epoch from start_at)::float8 * 1000 as "fromMs",
            extract(epoch from end_at)::float8 * 1000 as "toMs"
       from (
         select t.source_id, t.start_at, t.end_at
           from sleep_stage t
          where t.user_key = $1 and t.session_id is not null and t.stage not in ('awake', 'unknown') and t.start_at >= $2
            and not exists (
              select from sleep_session s
               where s.user_key = t.user_key and s.source_id = t.source_id and s.assembled
                 and s.start_at > t.start_at - $3 * interval '1 ms' and s.start_at < t.end_at and s.end_at > t.start_at
              ${ONE_LOOK_EACH})
         union all
         select source_id, start_at, end_at
           from sleep_session
          where user_key = $1 and assembled and external_id is not null and start_at >= $2
            and end_at - start_at > $4 * interval '1 ms'
       ) spans
      order by start_at fetch first ${SPANS_AT_ONCE} rows with ties`,
    [userKey, from?.toISOString() ?? '-infinity', SLEEP_LENGTH.maxMs, longestPause(sleepEndGapMinutes)],
  );
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return { corrected: 0 };
  // Uses `reduce` instead of `Math.max(...)`, because many spans may share one start and a call takes a limited number
  // of arguments.
  const toMs = spans.reduce((latest, span) => Math.max(latest, span.toMs), first.toMs);
  const context = await loadContext(client, userKey, sleepEndGapMinutes, { fromMs: first.fromMs, toMs });
  const nights = await reassemble(context, spans, CHANGE.corrected);
  await refreshRollUps(context, [{ dirtyDays: new DirtyDays(), nights }]);
  const isLast = spans.length < SPANS_AT_ONCE;
  return { corrected: nights.size, ...(!isLast && { resumeAt: new Date(Math.floor(last.fromMs) + 1) }) };
}
