import { coveredLength, type Interval, isAsleep, type SleepStage } from '@healthd/model';
import type { NightSession } from './session-seconds.js';
import { knowsSleep, netSeconds, type SleepFigures, wallClockSeconds } from './session-seconds.js';

type StageSeconds = 'awake_seconds' | 'light_seconds' | 'deep_seconds' | 'rem_seconds';

/** A night or nap; `null` and absent seconds are not known. */
type CountableSession = SleepFigures &
  Pick<NightSession, 'is_nap' | 'overlapped_stages'> & { [Name in StageSeconds | 'awakenings']?: number | null };

/**
 * The sessions of one source with figures that may be added up, because no instant counts twice. Nights come before naps,
 * then sessions that know how long the person slept, then longer ones. Of a session that overlaps those before it the share
 * outside of them counts, of its sleep and of its time in bed each, and one with neither is left out. A session whose
 * stages cover its seconds leaves the pauses between them to others.
 */
export function countedOnce<Session extends CountableSession>(sessions: readonly Session[]): Session[] {
  const ranked = [...sessions].sort(
    (a, b) =>
      Number(a.is_nap) - Number(b.is_nap) ||
      Number(knowsSleep(b)) - Number(knowsSleep(a)) ||
      wallClockSeconds(b) - wallClockSeconds(a),
  );
  const slept: Interval[] = [];
  const lain: Interval[] = [];
  return ranked.flatMap((session) => {
    const sleep = intervalsOf(session, netSeconds(session), (stage) => isAsleep(stage) || stage === 'awake');
    const sleepShare = shareOutside(sleep, slept);
    if (knowsSleep(session)) slept.push(...sleep);
    let inBedShare: number | undefined;
    if (session.in_bed_seconds !== null) {
      const inBed = intervalsOf(session, session.in_bed_seconds, () => true);
      inBedShare = shareOutside(inBed, lain);
      lain.push(...inBed);
    }
    if (sleepShare === 1 && (inBedShare ?? 1) === 1) return [session];
    if (knowsSleep(session) && sleepShare > 0) return [shareOf(session, sleepShare, inBedShare ?? 0)];
    return inBedShare ? [timeInBedOf(session, inBedShare)] : [];
  });
}

/** The session's stages if they cover its seconds (rounded by at most one), else from start to end. */
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

function shareOutside(own: readonly Interval[], taken: readonly Interval[]): number {
  return (coveredLength([...taken, ...own]) - coveredLength(taken)) / coveredLength(own);
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
