import { type SleepSessionRecord, sourceKey, type WorkoutRecord } from '@healthd/model';

type Session = SleepSessionRecord | WorkoutRecord;

/**
 * Sessions as every source reported them, of which two sources may have reported the same one. Of those that share more than
 * half of the shorter one, the one that says more stays; what one source distinguishes by itself is never taken.
 */
export function onePerOverlap<S extends Session>(sessions: readonly S[]): S[] {
  const ranked = sessions
    .map((session) => ({ session, key: sourceKey(session.source), detail: detailOf(session) }))
    .sort((a, b) => b.detail - a.detail || lengthMs(b.session) - lengthMs(a.session) || compare(a.key, b.key));
  const chosen: typeof ranked = [];
  for (const candidate of ranked) {
    const isReported = chosen.some(({ session, key }) => key !== candidate.key && isSame(session, candidate.session));
    if (!isReported) chosen.push(candidate);
  }
  return chosen.map(({ session }) => session).sort((a, b) => a.startMs - b.startMs);
}

function isSame(a: Session, b: Session): boolean {
  const sharedMs = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  return sharedMs > Math.min(lengthMs(a), lengthMs(b)) / 2;
}

/** How much a session says: what was measured comes before what was entered by hand, stages and figures before a bare span. */
function detailOf(session: Session): number {
  if (session.kind === 'sleep_session') {
    return session.deepSeconds !== undefined ? 2 : session.stages !== undefined ? 1 : 0;
  }
  const { totalCaloriesKcal, distanceMeters, stepsCount, heartRateAvg, userEntered } = session;
  const figures = [totalCaloriesKcal, distanceMeters, stepsCount, heartRateAvg].filter((value) => value !== undefined);
  return figures.length - (userEntered ? 10 : 0);
}

function lengthMs({ startMs, endMs }: Session): number {
  return endMs - startMs;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
