import type { SleepStage } from '@healthd/model';
import type { SourceRow } from '../sources.js';
import { statement } from '../../platform/database/index.js';
import { EventList } from './event-list.js';

/** A stored stage of a session. Instants are ISO 8601. */
export interface StoredStage {
  stage: SleepStage;
  start_time: string;
  end_time: string;
}

/** One session with the figures that summaries need. */
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

/** Columns of {@link SessionFigures}, without the columns of the source. */
const SESSION_FIGURES = `n.id, n.start_at, n.end_at, n.offset_minutes, n.is_nap, n.asleep_seconds,
  n.in_bed_seconds, n.awake_seconds, n.light_seconds, n.deep_seconds, n.rem_seconds, n.efficiency_percent`;

/** Number of sessions that start in a range, and the dates on which they end; null without sessions. */
interface SessionCount {
  count: number;
  first_date: string | null;
  last_date: string | null;
}

/** Filter: source ids or null. */
export const sessionList = new EventList<SleepSessionRow, SessionCount>({
  name: 'sleep_sessions',
  table: 'sleep_session',
  alias: 'n',
  columns: `${SESSION_FIGURES}, n.wake_date, n.stages`,
  selected: `n.user_key = $1 and n.start_at >= $2::timestamptz and n.start_at < $3::timestamptz
       and ($4::int4[] is null or n.source_id = any ($4::int4[]))`,
  filterCount: 1,
  counted: ', min(n.wake_date) as first_date, max(n.wake_date) as last_date',
});

/** Counts the sessions of a range of wake dates, up to a limit. Parameters: user, from, before, limit. */
export const sessionCountOfDates = statement(
  'sleep_sessions_count_of_dates',
  `select count(*) as count from (
     select from sleep_session n
      where n.user_key = $1 and n.wake_date >= $2::date and n.wake_date < $3::date limit $4) as counted`,
);
