import { coveredLength, type Interval, isAsleep, type SleepStage, unionOf } from '@healthd/model';
import {
  compareContent,
  hasSleepTime,
  type NightSession,
  netSeconds,
  type SleepFigures,
  wallClockSeconds,
} from './session-seconds.js';

type StageSeconds = 'awake_seconds' | 'light_seconds' | 'deep_seconds' | 'rem_seconds';

/** A night or nap. Null and missing seconds are unknown. */
type CountableSession = SleepFigures &
  Pick<NightSession, 'overlapped_stages'> & { [Name in StageSeconds | 'awakenings']?: number | null };

/**
 * Returns the sessions of one source with figures that can be summed, because each instant counts once. Sessions with a
 * time asleep rank before other sessions, longer before shorter and earlier before later sessions. A session that
 * overlaps better sessions counts only its share outside them, separately for its sleep and its time in bed. A session
 * without time outside better sessions is dropped. If a session's stages cover its seconds, the pauses between stages
 * are available to other sessions.
 * @param before sessions of the source that were counted already, so that their time does not count again
 */
export function countedOnce<Session extends CountableSession>(
  sessions: readonly Session[],
  before: readonly Session[] = [],
): Session[] {
  const [only] = sessions;
  // Returns a single session unchanged. Most dates have only one session.
  if (sessions.length === 1 && before.length === 0 && only && only.end_at > only.start_at) return [only];
  const slept = new TakenTime();
  const lain = new TakenTime();
  const count = (session: Session): Session[] => {
    const sleep = intervalsOf(session, netSeconds(session), (stage) => isAsleep(stage) || stage === 'awake');
    const sleepShare = slept.shareOutside(sleep);
    if (hasSleepTime(session)) slept.add(sleep);
    let inBedShare: number | undefined;
    if (session.in_bed_seconds !== null) {
      const inBed = intervalsOf(session, session.in_bed_seconds, () => true);
      inBedShare = lain.shareOutside(inBed);
      lain.add(inBed);
    }
    if (sleepShare === 1 && (inBedShare ?? 1) === 1) return [session];
    if (hasSleepTime(session) && sleepShare > 0) return [shareOf(session, sleepShare, inBedShare ?? 0)];
    return inBedShare ? [timeInBedOf(session, inBedShare)] : [];
  };
  for (const session of before) count(session);
  return ranked(sessions).flatMap(count);
}

function ranked<Session extends CountableSession>(sessions: readonly Session[]): Session[] {
  return [...sessions].sort(
    (a, b) =>
      Number(hasSleepTime(b)) - Number(hasSleepTime(a)) ||
      wallClockSeconds(b) - wallClockSeconds(a) ||
      compareContent(a, b),
  );
}

/**
 * Returns the session's stages if they cover `seconds`, except for one second of rounding. Otherwise returns the span
 * from start to end.
 */
function intervalsOf(
  { start_at, end_at, overlapped_stages }: CountableSession,
  seconds: number | null,
  counts: (stage: SleepStage) => boolean,
): Interval[] {
  const stages = (overlapped_stages ?? [])
    .filter(({ stage }) => counts(stage))
    .map(({ start_time, end_time }): Interval => [Date.parse(start_time), Date.parse(end_time)]);
  const covered = coveredLength(stages);
  return seconds !== null && covered > 0 && covered >= (seconds - 1) * 1000
    ? stages
    : [[start_at.getTime(), end_at.getTime()]];
}

/**
 * Time covered by sessions, ordered and without overlap. A night that an older version stored may have thousands of
 * sessions.
 */
class TakenTime {
  private readonly spans: [from: number, to: number][] = [];

  add(own: readonly Interval[]): void {
    for (const [from, to] of unionOf(own)) {
      const first = this.firstEndingAt(from);
      let next = first;
      let span: [from: number, to: number] = [from, to];
      for (let taken = this.spans[next]; taken !== undefined && taken[0] <= to; taken = this.spans[++next]) {
        span = [Math.min(span[0], taken[0]), Math.max(span[1], taken[1])];
      }
      this.spans.splice(first, next - first, span);
    }
  }

  /** Returns the share of the intervals that no session covers yet. */
  shareOutside(own: readonly Interval[]): number {
    let free = 0;
    let length = 0;
    for (const [from, to] of unionOf(own)) {
      free += to - from;
      length += to - from;
      for (let at = this.firstEndingAt(from); (this.spans[at]?.[0] ?? to) < to; at++) {
        const [takenFrom, takenTo] = this.spans[at] as [number, number];
        free -= Math.max(0, Math.min(to, takenTo) - Math.max(from, takenFrom));
      }
    }
    return free / length;
  }

  /** Returns the position of the first span that ends at or after an instant. */
  private firstEndingAt(ms: number): number {
    let [low, high] = [0, this.spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.spans[middle] as Interval)[1] < ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function shareOf<Session extends CountableSession>(session: Session, sleepShare: number, inBedShare: number): Session {
  return {
    ...session,
    asleep_seconds: scaled(netSeconds(session), sleepShare),
    in_bed_seconds: scaled(session.in_bed_seconds, inBedShare),
    awake_seconds: scaled(session.awake_seconds, sleepShare),
    light_seconds: scaled(session.light_seconds, sleepShare),
    deep_seconds: scaled(session.deep_seconds, sleepShare),
    rem_seconds: scaled(session.rem_seconds, sleepShare),
  };
}

function timeInBedOf<Session extends CountableSession>(session: Session, inBedShare: number): Session {
  return {
    ...session,
    asleep_seconds: null,
    in_bed_seconds: scaled(session.in_bed_seconds, inBedShare),
    awake_seconds: null,
    light_seconds: null,
    deep_seconds: null,
    rem_seconds: null,
    efficiency_percent: null,
    awakenings: null,
  };
}

function scaled(seconds: number | null | undefined, share: number): number | null {
  return seconds === null || seconds === undefined ? null : Math.round(seconds * share);
}
