import { seriesTypeIds } from '@healthd/model';
import type { Priorities } from '../../priorities/index.js';
import type { DayValueRow } from '../activity/day-value-row.js';
import { knowsSleep, type NightSession } from '../nights/session-seconds.js';
import type { SourceRow } from '../sources.js';

// The order by which earlier versions selected sources. Only the comparison after an upgrade uses it: delete it in the next
// release, together with `reason` and `decided_by` of the activity explanation.

const FAMILIES = {
  movement: seriesTypeIds(['steps', 'distance_walking_running', 'flights_climbed', 'active_time']),
  energy: seriesTypeIds(['energy', 'basal_energy']),
  heart_rate: seriesTypeIds(['heart_rate']),
} as const;

/** Returns the source of one group of a day's values: the best one that has the first series that anyone has. */
export function olderDaySource(
  values: readonly DayValueRow[],
  group: keyof typeof FAMILIES,
  priorities: Priorities,
): number | undefined {
  for (const lead of FAMILIES[group]) {
    const rows = values.filter((row) => row.type_id === lead);
    const [best] = rows.sort((a, b) => compare(ranked(a, a.covered_minutes), ranked(b, b.covered_minutes), priorities));
    if (best) return best.source_id;
  }
  return undefined;
}

/** Returns the source of a wake date's sessions: by what it knows of the night, then by priorities, then the longer sleep. */
export function olderNightSource(sessions: readonly NightSession[], priorities: Priorities): number | undefined {
  const candidates = [...new Set(sessions.map((session) => session.source_id))].flatMap((sourceId) => {
    const own = sessions.filter((session) => session.source_id === sourceId);
    const [first] = own;
    if (!first) return [];
    const minutes = own.reduce((sum, session) => sum + (session.asleep_seconds ?? 0) / 60, 0);
    const gap = Math.min(...own.map((session) => (session.is_nap ? 2 : knowsSleep(session) ? 0 : 1)));
    return [{ ...ranked(first, minutes), gap }];
  });
  return candidates.sort((a, b) => a.gap - b.gap || compare(a, b, priorities))[0]?.sourceId;
}

type Ranked = ReturnType<typeof ranked>;

/** Provider, then device type, then the longer coverage, then the source that was stored first. */
function compare(a: Ranked, b: Ranked, priorities: Priorities): number {
  return (
    priorities.provider(a) - priorities.provider(b) ||
    priorities.deviceType(a) - priorities.deviceType(b) ||
    b.coveredMinutes - a.coveredMinutes ||
    a.sourceId - b.sourceId
  );
}

function ranked({ provider, device_type: deviceType, source_id: sourceId }: SourceRow, coveredMinutes: number) {
  return { provider, deviceType, sourceId, coveredMinutes };
}
