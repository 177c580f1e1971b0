import type { SleepStage } from '@healthd/model';
import { statement } from '../../platform/database/index.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';

/** A stage as it is stored inside a session; instants in ISO 8601. */
export interface StoredStage {
  stage: SleepStage;
  start_time: string;
  end_time: string;
}

/** One session as summaries need it. */
export interface SessionFigures extends SourceRow {
  id: string;
  start_at: Date;
  end_at: Date;
  offset_minutes: number | null;
  is_nap: boolean;
  asleep_seconds: number | null;
  in_bed_seconds: number | null;
  awake_seconds: number | null;
  light_seconds: number | null;
  deep_seconds: number | null;
  rem_seconds: number | null;
  efficiency_percent: number | null;
}

export interface SleepSessionRow extends SessionFigures {
  wake_date: string;
  stages: StoredStage[] | null;
}

/** Columns of {@link SessionFigures}, without those of the source. */
export const SESSION_FIGURES = `n.id, n.start_at, n.end_at, n.offset_minutes, n.is_nap, n.asleep_seconds,
  n.in_bed_seconds, n.awake_seconds, n.light_seconds, n.deep_seconds, n.rem_seconds, n.efficiency_percent`;

const SESSION_COLUMNS = `${SESSION_FIGURES}, n.wake_date, n.stages`;

const SESSION_AND_SOURCE = 'sleep_session n join data_source s on s.user_key = $1 and s.source_id = n.source_id';
const IN_RANGE =
  'n.user_key = $1 and n.start_at >= $2::timestamptz and n.start_at < $3::timestamptz and ($4::int4[] is null or n.source_id = any ($4::int4[]))';

/** One page by index on (user_key, start_at, id). Parameters: user, from, before, source ids or null, position (instant, id) or nulls, limit + 1. */
function sessionPage(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `select ${SESSION_COLUMNS}, ${SOURCE_COLUMNS} from ${SESSION_AND_SOURCE}
     where ${IN_RANGE} and ($5::timestamptz is null or (n.start_at, n.id) ${after} ($5::timestamptz, $6::uuid))
     order by n.start_at ${order}, n.id ${order} limit $7`,
  );
}

/** Newest first, so that going on means going back in time. */
export const olderSessions = sessionPage('sleep_sessions_older', '<', 'desc');
export const newerSessions = sessionPage('sleep_sessions_newer', '>', 'asc');

/** Parameters: user, from, before, source ids or null. */
export const sessionCount = statement(
  'sleep_sessions_count',
  `select count(*) as count, min(n.wake_date) as first_date, max(n.wake_date) as last_date
   from sleep_session n where ${IN_RANGE}`,
);

/** By primary key. Parameters: user, ids. */
export const sessionsById = statement(
  'sleep_sessions_by_id',
  `select ${SESSION_COLUMNS}, ${SOURCE_COLUMNS} from ${SESSION_AND_SOURCE}
   where n.user_key = $1 and n.id = any ($2::uuid[])`,
);
