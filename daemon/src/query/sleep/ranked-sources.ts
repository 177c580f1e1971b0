import type { Priorities } from '../../priorities/index.js';
import type { SessionFigures } from '../events/sleep-sessions.sql.js';

type RankedSession = Pick<SessionFigures, 'source_id' | 'provider' | 'device_type' | 'asleep_seconds'>;

/** The sessions of one wake date by source, best source first: by priority, then the longer sleep, then the older. */
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
    return [{ provider, deviceType, sourceId, coveredMinutes, own }];
  });
  candidates.sort((a, b) => priorities.compare(a, b));
  return candidates.map(({ own }) => own);
}
