import { SLEEP_LENGTH } from '@healthd/model';
import type pg from 'pg';
import { lockUser } from '../../platform/database/index.js';
import { CHANGE } from '../facts/change.js';
import { DirtyDays } from '../facts/dirty-days.js';
import type { SourceSpan } from '../facts/sleep/source-span.js';
import { loadContext } from './load-context.js';
import { reassemble } from './plan-sleep.js';
import { refreshRollUps } from './roll-up-invalidations.js';

/** Number of stages per transaction. Limits how long the user's row is locked. */
const STAGES_AT_ONCE = 1_000;

/**
 * Assembles one chunk of a user's stages that are in no session although they have a vendor's session id, in the
 * caller's transaction. Older versions dropped a session if one of its stages had a wrong time.
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
  const { rows: stages } = await client.query<SourceSpan>(
    `select t.source_id as "sourceId", extract(epoch from t.start_at)::float8 * 1000 as "fromMs",
            extract(epoch from t.end_at)::float8 * 1000 as "toMs"
       from sleep_stage t
      where t.user_key = $1 and t.session_id is not null and t.stage not in ('awake', 'unknown') and t.start_at >= $2
        and not exists (
          select from sleep_session s
           where s.user_key = t.user_key and s.source_id = t.source_id and s.assembled
             and s.start_at > t.start_at - $3 * interval '1 ms' and s.start_at < t.end_at and s.end_at > t.start_at)
      order by t.start_at limit ${STAGES_AT_ONCE}`,
    [userKey, from?.toISOString() ?? '-infinity', SLEEP_LENGTH.maxMs],
  );
  const [first, last] = [stages[0], stages.at(-1)];
  if (!first || !last) return { corrected: 0 };
  const toMs = Math.max(...stages.map((stage) => stage.toMs));
  const context = await loadContext(client, userKey, sleepEndGapMinutes, { fromMs: first.fromMs, toMs });
  const nights = await reassemble(context, stages, CHANGE.corrected);
  await refreshRollUps(context, [{ dirtyDays: new DirtyDays(), nights }]);
  const isLast = stages.length < STAGES_AT_ONCE;
  return { corrected: nights.size, ...(!isLast && { resumeAt: new Date(Math.floor(last.fromMs) + 1) }) };
}
