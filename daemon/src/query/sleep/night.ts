import type { SleepSummary } from '@healthd/schemas';
import { stageMinutes, sumOfKnown } from '../events/sleep-sessions.js';
import { instantText, minutesOrNull, offsetText } from '../presentation.js';
import { countedOnce } from './counted-once.js';
import type { NightSession } from './nights.sql.js';
import { netSeconds, type SleepFigures, wallClockSeconds } from './session-seconds.js';

/** The part of a sleep summary that comes from the sessions of one day and source. */
export type Night = Omit<
  SleepSummary,
  | 'date'
  | 'source'
  | 'avg_heart_rate_bpm'
  | 'avg_hrv_sdnn_ms'
  | 'avg_hrv_rmssd_ms'
  | 'avg_respiratory_rate'
  | 'avg_spo2_percent'
>;

/**
 * Joins the sessions that end on one local date. Start and end are those of the longest main session, else nap. What
 * several sessions cover counts once.
 * @param localOffsetOf the offset at which a session is dated
 */
export function joinSessions<Session extends NightSession>(
  sessions: readonly Session[],
  localOffsetOf: (session: Session) => string,
): Night {
  const anchor = longest(sessions.filter((session) => !session.is_nap)) ?? longest(sessions);
  const counted = countedOnce(sessions);
  const main = counted.filter((session) => !session.is_nap);
  const naps = counted.filter((session) => session.is_nap);
  const asleepSeconds = main.length === 0 ? 0 : sumOfKnown(main.map(netSeconds));
  const napSeconds = sumOfKnown(naps.map(netSeconds)) ?? 0;
  const duration = asleepSeconds === null ? null : wholeMinutes(asleepSeconds);
  return {
    start_time: anchor ? instantText(anchor.start_at) : null,
    end_time: anchor ? instantText(anchor.end_at) : null,
    zone_offset: anchor ? offsetText(anchor.offset_minutes) : null,
    local_offset: anchor ? localOffsetOf(anchor) : null,
    duration_minutes: duration,
    total_duration_minutes: duration === null ? null : duration + wholeMinutes(napSeconds),
    time_in_bed_minutes: minutesOrNull(sumOfKnown(main.map((session) => session.in_bed_seconds))),
    efficiency_percent: efficiency(main),
    stages: stageMinutes(main),
    interruptions_count: sumOfKnown(main.map((session) => session.awakenings)),
    nap_count: sessions.filter((session) => session.is_nap).length,
    nap_duration_minutes: wholeMinutes(napSeconds),
    sessions: sessions.map((session) => ({
      start_time: instantText(session.start_at),
      end_time: instantText(session.end_at),
      zone_offset: offsetText(session.offset_minutes),
      local_offset: localOffsetOf(session),
      duration_minutes: wholeMinutes(wallClockSeconds(session)),
      is_nap: session.is_nap,
    })),
  };
}

function longest<Session extends NightSession>(sessions: readonly Session[]): Session | undefined {
  return [...sessions].sort((a, b) => wallClockSeconds(b) - wallClockSeconds(a))[0];
}

function wholeMinutes(seconds: number): number {
  return Math.floor(seconds / 60);
}

/** What sources report, weighted by the length of their sessions; else asleep over in bed. Within 0 to 100. */
export function efficiency(sessions: readonly SleepFigures[]): number | null {
  const parts = sessions.flatMap((session) => {
    const percent = session.efficiency_percent ?? ratio(session.asleep_seconds, session.in_bed_seconds);
    return percent === null ? [] : [{ percent, seconds: wallClockSeconds(session) }];
  });
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  if (seconds <= 0) return null;
  const weighted = parts.reduce((sum, part) => sum + part.percent * part.seconds, 0) / seconds;
  return Math.min(100, Math.max(0, weighted));
}

function ratio(asleepSeconds: number | null, inBedSeconds: number | null): number | null {
  return asleepSeconds === null || inBedSeconds === null || inBedSeconds <= 0
    ? null
    : (100 * asleepSeconds) / inBedSeconds;
}
