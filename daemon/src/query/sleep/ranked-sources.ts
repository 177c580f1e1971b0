import type { Priorities } from '../../priorities/index.js';
import type { SessionFigures } from '../events/sleep-sessions.sql.js';
import { knowsSleep } from './session-seconds.js';

type RankedSession = Pick<
  SessionFigures,
  'source_id' | 'provider' | 'device_type' | 'is_nap' | 'asleep_seconds' | 'in_bed_seconds'
>;

/**
 * The sessions of one wake date by source, best source first: by what it knows of the night, then by priority, then the
 * longer sleep, then the older. A source with a nap alone, or with time in bed alone, must not hide a night that another one
 * recorded. `NIGHT_GAP` and `sourceRank` are the same in SQL.
 */
export function rankedSources<Session extends RankedSession>(
  sessions: readonly Session[],
  priorities: Priorities,
): Session[][] {
  const bySource = new Map<number, Session[]>();
  for (const session of sessions) {
    const own = bySource.get(session.source_id);
    if (own) own.push(session);
    else bySource.set(session.source_id, [session]);
  }
  const candidates = [...bySource.values()].flatMap((own) => {
    const first = own[0];
    if (!first) return [];
    const coveredMinutes = own.reduce((sum, session) => sum + (session.asleep_seconds ?? 0) / 60, 0);
    const { provider, device_type: deviceType, source_id: sourceId } = first;
    return [{ provider, deviceType, sourceId, coveredMinutes, gap: nightGap(own), own }];
  });
  candidates.sort((a, b) => a.gap - b.gap || priorities.compare(a, b));
  return candidates.map(({ own }) => own);
}

/** What is missing of a night: 0 nothing, 1 how long the person slept in it, 2 the night itself. */
function nightGap(sessions: readonly RankedSession[]): number {
  return Math.min(...sessions.map((session) => (session.is_nap ? 2 : knowsSleep(session) ? 0 : 1)));
}
