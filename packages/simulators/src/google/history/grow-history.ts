import { MS_PER_DAY } from '@healthd/model';
import type { Account, HistoryOptions } from '../account.js';
import type { Service } from '../service.js';
import { type StoredPoint, storedPoint } from '../stored-points.js';
import { bodyPoints } from './body-points.js';
import { dailyPoints } from './daily-points.js';
import { DENSITIES } from './densities.js';
import { exercisePoints } from './exercise-points.js';
import { heartPoints } from './heart-points.js';
import type { KnownPoint } from './known-point.js';
import { lifeDay } from './life-day.js';
import { movementPoints } from './movement-points.js';
import { sleepPoints } from './sleep-points.js';

/**
 * Stores the part of a generated history that has reached the vendor's cloud, without notifications.
 * @returns the number of points
 */
export function seedHistory(service: Service, account: Account, options: HistoryOptions = {}): number {
  const { seed = 1, days = 90, density = 'light', dataTypes } = options;
  const untilMs = service.clock.nowMs();
  account.history = { options: { seed, days, density, dataTypes }, untilMs };
  const today = account.calendar.dateOf(untilMs);
  let points = 0;
  for (let n = days - 1; n >= 0; n--)
    points += store(service, account, knownOn(account, today, -n, -Infinity, untilMs)).length;
  return points;
}

/**
 * Stores points that have reached the cloud since the last call, and notifies subscribers.
 * @throws if the account has no history
 */
export function growHistory(service: Service, account: Account): number {
  const { history, calendar } = account;
  if (!history) throw new Error(`${account.id} has no simulated history; seed one first`);
  const sinceMs = history.untilMs;
  history.untilMs = service.clock.nowMs();
  const today = calendar.dateOf(history.untilMs);
  // Yesterday's points can reach the cloud today.
  const days = Math.ceil((history.untilMs - sinceMs) / MS_PER_DAY) + 1;
  const stored: StoredPoint[] = [];
  for (let n = days; n >= 0; n--)
    stored.push(...store(service, account, knownOn(account, today, -n, sinceMs, history.untilMs)));
  service.notifier.pointsChanged(account.id, stored, 'UPSERT');
  return stored.length;
}

function knownOn(account: Account, date: string, plusDays: number, sinceMs: number, untilMs: number): KnownPoint[] {
  const { calendar } = account;
  const { seed, density, dataTypes } = account.history!.options;
  const life = lifeDay(seed, calendar.day(date, plusDays), calendar.day(date, plusDays + 1));
  const fineness = DENSITIES[density];
  return [
    ...movementPoints(life, fineness),
    ...heartPoints(life, fineness),
    ...dailyPoints(life),
    ...bodyPoints(life),
    ...sleepPoints(life, calendar),
    ...exercisePoints(life, calendar),
  ]
    .filter(({ knownMs }) => knownMs > sinceMs && knownMs <= untilMs)
    .filter(({ point }) => dataTypes === undefined || dataTypes.includes(point.dataType))
    .sort((a, b) => a.knownMs - b.knownMs);
}

function store(service: Service, account: Account, known: readonly KnownPoint[]): StoredPoint[] {
  const stored = new Map<string, StoredPoint>();
  for (const { point } of known) {
    const made = storedPoint(point, account.calendar);
    service.points.put(account.id, made);
    // Returns only the last version of a point that was stored more than once, such as a night.
    stored.set(`${made.type.id} ${made.id}`, made);
  }
  return [...stored.values()];
}
