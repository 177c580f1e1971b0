import { formatOffset } from '@healthd/model';
import type { SleepSummary } from '@healthd/schemas';
import { stageMinutes, sumOfKnown } from '../events/sleep-sessions.js';
import { instantText, minutesOrNull, offsetText } from '../presentation.js';
import { countedOnce } from './counted-once.js';
import {
  compareContent,
  hasSleepTime,
  type NightSession,
  netSeconds,
  type SleepFigures,
  wallClockSeconds,
} from './session-seconds.js';

/** The part of a sleep summary that comes from the sessions of one day. */
export type Night = Omit<SleepSummary, 'date' | 'source' | 'sources' | `avg_${string}`>;

/**
 * Combines the main sessions and the naps of one date, each from one source. Start and end come from the longest main
 * session, or from the longest nap if there is no main session. An instant that several sessions cover counts once.
 */
export function joinSessions({ main, naps }: { main: readonly NightSession[]; naps: readonly NightSession[] }): Night {
  const anchor = longest(main) ?? longest(naps);
  const counted = countedOnce(main);
  const isNap = new Set(naps);
  const asleepSeconds = main.length === 0 ? 0 : sumOfKnown(counted.map(netSeconds));
  // A nap adds nothing to a night of the same source that contains it. A nap of another source counts separately.
  const isOfOneSource = main[0]?.source_id === naps[0]?.source_id;
  const napSeconds = sumOfKnown(countedOnce(naps, isOfOneSource ? main : []).map(netSeconds)) ?? 0;
  const duration = asleepSeconds === null ? null : wholeMinutes(asleepSeconds);
  const napDuration = naps.length > 0 && !naps.some(hasSleepTime) ? null : wholeMinutes(napSeconds);
  return {
    start_time: anchor ? instantText(anchor.start_at) : null,
    end_time: anchor ? instantText(anchor.end_at) : null,
    zone_offset: anchor ? offsetText(anchor.offset_minutes) : null,
    local_offset: anchor ? formatOffset(anchor.local_offset_minutes) : null,
    duration_minutes: duration,
    total_duration_minutes: main.length === 0 ? napDuration : duration === null ? null : duration + (napDuration ?? 0),
    time_in_bed_minutes: minutesOrNull(sumOfKnown(counted.map((session) => session.in_bed_seconds))),
    efficiency_percent: efficiency(counted),
    stages: stageMinutes(counted),
    interruptions_count: sumOfKnown(counted.map((session) => session.awakenings)),
    nap_count: naps.length,
    nap_duration_minutes: napDuration,
    sessions: [...main, ...naps].sort(compareContent).map((session) => ({
      start_time: instantText(session.start_at),
      end_time: instantText(session.end_at),
      zone_offset: offsetText(session.offset_minutes),
      local_offset: formatOffset(session.local_offset_minutes),
      duration_minutes: wholeMinutes(wallClockSeconds(session)),
      is_nap: isNap.has(session),
    })),
  };
}

function longest<Session extends NightSession>(sessions: readonly Session[]): Session | undefined {
  return [...sessions].sort((a, b) => wallClockSeconds(b) - wallClockSeconds(a) || compareContent(a, b))[0];
}

function wholeMinutes(seconds: number): number {
  return Math.floor(seconds / 60);
}

/**
 * Returns the reported efficiency, weighted by session length. Without it, returns time asleep divided by time in bed.
 * From 0 to 100.
 */
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
