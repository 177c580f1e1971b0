import { type SleepSessionRecord, sourceKey, type WorkoutRecord } from '@healthd/model';

type Session = SleepSessionRecord | WorkoutRecord;

/**
 * Removes duplicate sessions of different sources. Two sessions are duplicates if they share more than half of the
 * shorter session. Keeps the session with more detail. Never merges sessions of the same source.
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

/**
 * Rates a session's detail: a sleep by its stages, a workout by its number of figures. A manual workout ranks below all
 * measured workouts.
 */
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
