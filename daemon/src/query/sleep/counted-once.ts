import { coveredLength, type Interval } from '@healthd/model';
import { netSeconds, type SleepFigures, wallClockSeconds } from './session-seconds.js';

type StageSeconds = 'awake_seconds' | 'light_seconds' | 'deep_seconds' | 'rem_seconds';

/** A night or nap; `null` and absent seconds are not known. */
type CountableSession = SleepFigures & { is_nap: boolean } & { [Name in StageSeconds]?: number | null };

/**
 * The sessions of one source with figures that may be added up, because no instant counts twice. Nights come before naps,
 * and longer ones before shorter ones; of a session that overlaps those before it the share outside of them counts, and
 * one wholly inside of them is left out.
 */
export function countedOnce<Session extends CountableSession>(sessions: readonly Session[]): Session[] {
  const ranked = [...sessions].sort(
    (a, b) => Number(a.is_nap) - Number(b.is_nap) || wallClockSeconds(b) - wallClockSeconds(a),
  );
  const taken: Interval[] = [];
  return ranked.flatMap((session) => {
    const before = coveredLength(taken);
    taken.push([session.start_at.getTime(), session.end_at.getTime()]);
    const lengthMs = wallClockSeconds(session) * 1000;
    const freshMs = coveredLength(taken) - before;
    if (freshMs >= lengthMs) return [session];
    return freshMs > 0 ? [shareOf(session, freshMs / lengthMs)] : [];
  });
}

function shareOf<Session extends CountableSession>(session: Session, share: number): Session {
  const scaled = (seconds: number | null | undefined) =>
    seconds === null || seconds === undefined ? null : Math.round(seconds * share);
  return {
    ...session,
    asleep_seconds: scaled(netSeconds(session)),
    in_bed_seconds: scaled(session.in_bed_seconds),
    awake_seconds: scaled(session.awake_seconds),
    light_seconds: scaled(session.light_seconds),
    deep_seconds: scaled(session.deep_seconds),
    rem_seconds: scaled(session.rem_seconds),
  };
}
