import type { SleepSummary } from '@healthd/schemas';
import { stageMinutes, sumOfKnown } from '../events/sleep-sessions.js';
import { instantText, minutesOrNull, offsetText } from '../presentation.js';
import type { NightSession } from './nights.sql.js';

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
 * Joins the sessions that end on one local date. Start and end are those of the longest main session, else nap.
 * @param localOffsetOf the offset at which a session is dated
 */
export function joinSessions<Session extends NightSession>(
  sessions: readonly Session[],
  localOffsetOf: (session: Session) => string,
): Night {
  const main = sessions.filter((session) => !session.is_nap);
  const naps = sessions.filter((session) => session.is_nap);
  const anchor = longest(main) ?? longest(naps);
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
    nap_count: naps.length,
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

/** What is needed to say how long and how well a person slept. */
export type SleepFigures = Pick<
  NightSession,
  'start_at' | 'end_at' | 'asleep_seconds' | 'in_bed_seconds' | 'efficiency_percent'
>;

/** Asleep time; the whole session where the source says nothing finer, null where only time in bed is known. */
export function netSeconds(session: SleepFigures): number | null {
  return session.asleep_seconds ?? (session.in_bed_seconds === null ? wallClockSeconds(session) : null);
}

function wallClockSeconds(session: SleepFigures): number {
  return (session.end_at.getTime() - session.start_at.getTime()) / 1000;
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
