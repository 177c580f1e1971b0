import { seriesTypeIds } from '@healthd/model';
import type { Priorities } from '../../priorities/index.js';
import type { DayValueRow } from '../activity/day-values.js';
import type { BodyFigures } from '../body/body.js';
import type { NightFigures } from '../nights/night-figures.js';
import { hasSleepTime, type NightSession } from '../nights/session-seconds.js';
import type { SourceRow } from '../sources.js';

// Selection order of the versions before 0.2.0. Only the comparison after an upgrade uses it.

const FAMILIES = {
  movement: seriesTypeIds(['steps', 'distance_walking_running', 'flights_climbed', 'active_time']),
  energy: seriesTypeIds(['energy', 'basal_energy']),
  heart_rate: seriesTypeIds(['heart_rate']),
} as const;

/** Returns the source of one group of a day's values: the best source of the first series that any source has. */
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

/**
 * Returns the source of a wake date's sessions: by completeness of the night, then by priorities, then the longer sleep.
 */
export function olderNightSource(
  sessions: readonly NightSession[],
  sources: ReadonlyMap<number, SourceRow>,
  priorities: Priorities,
): number | undefined {
  const candidates = [...new Set(sessions.map((session) => session.source_id))].flatMap((sourceId) => {
    const own = sessions.filter((session) => session.source_id === sourceId);
    const source = sources.get(sourceId);
    if (!source) return [];
    const minutes = own.reduce((sum, session) => sum + (session.asleep_seconds ?? 0) / 60, 0);
    const gap = Math.min(...own.map((session) => (session.is_nap ? 2 : hasSleepTime(session) ? 0 : 1)));
    return [{ ...ranked(source, minutes), gap }];
  });
  return candidates.sort((a, b) => a.gap - b.gap || compare(a, b, priorities))[0]?.sourceId;
}

/**
 * Returns the provider that supplied all figures of a recovery: first a provider with both resting heart rate and HRV,
 * then a provider with either, then by priority, then by name.
 */
export function olderRecoveryProvider({ groups }: NightFigures, priorities: Priorities): string | undefined {
  const { resting_heart_rate: resting, hrv, oxygen_saturation: oxygen, score } = groups;
  const [withResting, withHrv, ...others] = [resting, hrv, oxygen, score].map(
    ({ placed }) => new Set(placed.map(({ candidate }) => candidate.source.provider)),
  ) as [Set<string>, Set<string>, ...Set<string>[]];
  const gaps = (provider: string) => 2 - Number(withResting.has(provider)) - Number(withHrv.has(provider));
  return [...new Set([...withResting, ...withHrv, ...others.flatMap((some) => [...some])])].sort(
    (a, b) =>
      gaps(a) - gaps(b) ||
      priorities.provider({ provider: a }) - priorities.provider({ provider: b }) ||
      (a < b ? -1 : 1),
  )[0];
}

/** Returns the source of a body average: by priorities, then by the number of dates with values. */
export function olderAverageSource(
  dates: readonly NightFigures[],
  group: 'resting_heart_rate' | 'hrv',
  priorities: Priorities,
): number | undefined {
  const all = dates.flatMap(({ groups }) => groups[group].placed.map(({ candidate }) => candidate));
  const counts = new Map<number, number>();
  for (const { sourceId } of all) counts.set(sourceId, (counts.get(sourceId) ?? 0) + 1);
  const ranks = all.map(({ source: { provider, deviceType }, sourceId }) => ({
    provider,
    deviceType,
    sourceId,
    coveredMinutes: counts.get(sourceId) ?? 0,
  }));
  return ranks.sort((a, b) => compare(a, b, priorities))[0]?.sourceId;
}

/** Returns the source of the newest value of the body: by priorities among the sources that measured at that instant. */
export function olderMeasuredSource(
  { winner, placed }: BodyFigures['measured']['weight'],
  priorities: Priorities,
): number | undefined {
  const newest = placed.filter(({ candidate }) => candidate.at.getTime() === winner?.at.getTime());
  const ranks = newest.map(({ candidate }) => ranked(candidate.row, 0));
  return ranks.sort((a, b) => compare(a, b, priorities))[0]?.sourceId;
}

/** Orders the values of one series of one account as `merge=interval` did: by device type, then the longer coverage. */
export function olderMergedOrder(values: readonly DayValueRow[], priorities: Priorities): DayValueRow[] {
  const rank = (row: DayValueRow) => ranked(row, row.covered_minutes);
  return values.toSorted((a, b) => compare(rank(a), rank(b), priorities));
}

type Ranked = ReturnType<typeof ranked>;

/** Orders by provider, then device type, then the longer coverage, then the source that was stored first. */
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
