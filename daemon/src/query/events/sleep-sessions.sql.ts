import type { SleepStage } from '@healthd/model';
import { statement } from '../../platform/database/index.js';
import { SOURCE_COLUMNS, type SourceRow } from '../sources.js';
import { NIGHT_GAP, sourceRank } from './source-rank.js';

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

/**
 * The sessions of the range, and with $4 only those whose source is the best of their wake date: by what it knows of
 * the night, then by rank, then the longer sleep, then the older source. All sessions of a wake date take part, also those outside the range.
 */
const SELECTED = `n.user_key = $1 and n.start_at >= $2::timestamptz and n.start_at < $3::timestamptz
  and (not $4::boolean or n.source_id = (
    select o.source_id from sleep_session o
    join data_source s on s.user_key = $1 and s.source_id = o.source_id
    where o.user_key = $1 and o.wake_date = n.wake_date
    group by o.source_id, s.provider, s.device_type
    order by ${NIGHT_GAP}, ${sourceRank('s')}, sum(coalesce(o.asleep_seconds, 0)) desc, o.source_id
    limit 1))`;

/**
 * One page by index on (user_key, start_at, id). Parameters: user, from, before, best source only, position (instant,
 * id) or nulls, limit + 1.
 */
function sessionPage(name: string, after: '>' | '<', order: 'asc' | 'desc') {
  return statement(
    name,
    `select ${SESSION_COLUMNS}, ${SOURCE_COLUMNS}
     from sleep_session n join data_source s on s.user_key = $1 and s.source_id = n.source_id
     where ${SELECTED}
       and ($5::timestamptz is null or (n.start_at, n.id) ${after} ($5::timestamptz, $6::uuid))
     order by n.start_at ${order}, n.id ${order} limit $7`,
  );
}

/** Newest first, so that going on means going back in time. */
export const olderSessions = sessionPage('sleep_sessions_older', '<', 'desc');
export const newerSessions = sessionPage('sleep_sessions_newer', '>', 'asc');

/** Parameters: user, from, before, best source only. */
export const sessionCount = statement(
  'sleep_sessions_count',
  `select count(*) as count from sleep_session n where ${SELECTED}`,
);

/** By primary key. Parameters: user, id. */
export const sessionById = statement(
  'sleep_session_by_id',
  `select ${SESSION_COLUMNS}, ${SOURCE_COLUMNS}
   from sleep_session n join data_source s on s.user_key = $1 and s.source_id = n.source_id
   where n.user_key = $1 and n.id = $2::uuid`,
);
