import type { DataType } from './data-types.js';
import type { Json, JsonObject } from './point-types.js';
import { pointValue, type StoredPoint } from './stored-points.js';

/** Combined value of the points in one window. */
export interface WindowValue {
  sum?: number;
  min?: number;
  avg?: number;
  max?: number;
}

/** Returns the sum or spread by the type's rule; undefined if its roll-up has several members or does not exist. */
export function windowValue(type: DataType, points: readonly StoredPoint[]): WindowValue | undefined {
  const values = points.map((point) => pointValue(point) ?? 0);
  const sum = values.reduce((total, value) => total + value, 0);
  const avg = sum / values.length;
  switch (type.rollUp?.kind) {
    case 'sum':
      return { sum };
    case 'avg':
      return { avg };
    case 'spread':
      return { min: values.reduce((a, b) => Math.min(a, b)), avg, max: values.reduce((a, b) => Math.max(a, b)) };
    default:
      return undefined;
  }
}

/** Returns the roll-up's value object; undefined if the type has no roll-up. */
export function rolledUp(type: DataType, points: readonly StoredPoint[]): JsonObject | undefined {
  const rule = type.rollUp;
  if (!rule) return undefined;
  if (rule.kind === 'zones') return zoneSums(points);
  if (rule.kind === 'levels') return levelSums(points);
  const value = windowValue(type, points)!;
  if (rule.kind === 'spread') {
    return { [`${rule.prefix}Min`]: value.min, [`${rule.prefix}Avg`]: value.avg, [`${rule.prefix}Max`]: value.max };
  }
  const [first = '', second] = rule.member.split('.');
  const amount = value.sum ?? value.avg;
  if (second === undefined) return { [first]: amount };
  const unit = (points.at(-1)?.members[first] as JsonObject | undefined)?.userProvidedUnit;
  return { [first]: { [second]: amount, userProvidedUnitLast: unit } };
}

const ZONE_MEMBERS: Readonly<Record<string, string>> = {
  FAT_BURN: 'sumInFatBurnHeartZone',
  CARDIO: 'sumInCardioHeartZone',
  PEAK: 'sumInPeakHeartZone',
};

function zoneSums(points: readonly StoredPoint[]): JsonObject {
  const sums: Record<string, number> = {};
  for (const { members } of points) {
    const member = ZONE_MEMBERS[String(members.heartRateZone)];
    if (member) sums[member] = (sums[member] ?? 0) + Number(members.activeZoneMinutes ?? 0);
  }
  return sums;
}

function levelSums(points: readonly StoredPoint[]): JsonObject {
  const sums = new Map<Json, number>();
  for (const { members } of points) {
    for (const entry of (members.activeMinutesByActivityLevel ?? []) as JsonObject[]) {
      const level = entry.activityLevel ?? '';
      sums.set(level, (sums.get(level) ?? 0) + Number(entry.activeMinutes ?? 0));
    }
  }
  const entries = [...sums].map(([activityLevel, activeMinutesSum]) => ({ activityLevel, activeMinutesSum }));
  return { activeMinutesRollupByActivityLevel: entries };
}
