import { MS_PER_MINUTE } from '@healthd/model';
import { Random } from '../../random.js';
import type { SourceKey } from '../point-types.js';
import type { Density } from './densities.js';
import { atHour, atQuarter, iso, type KnownPoint, rounded } from './known-point.js';
import type { LifeDay } from './life-day.js';

const MILLIMETERS_PER_STEP = 716;
const KCAL_PER_STEP = 0.042;

/**
 * Returns steps, distance, energy and floors. The tracker records intervals of equal length. The phone records each
 * walk as a whole, not aligned to minutes.
 */
export function movementPoints(life: LifeDay, density: Density): KnownPoint[] {
  return [
    ...walks(life, density),
    ...workoutMovement(life, density),
    ...quietEvening(life),
    ...basalEnergy(life, density),
  ];
}

function walks({ seed, day, bouts }: LifeDay, density: Density): KnownPoint[] {
  const random = new Random(seed, day.number, 'movement');
  return bouts.flatMap((bout) => {
    const points: KnownPoint[] = [];
    const endMs = bout.startMs + bout.minutes * MS_PER_MINUTE;
    if (bout.trackerWorn) {
      for (const [fromMs, toMs] of pieces(bout.startMs, endMs, density.movementMs)) {
        const steps = Math.round((bout.stepsPerMinute * random.between(0.9, 1.1) * (toMs - fromMs)) / MS_PER_MINUTE);
        points.push(...moved('tracker', fromMs, toMs, steps, steps * MILLIMETERS_PER_STEP));
        points.push(burned(fromMs, toMs, steps * KCAL_PER_STEP));
      }
      if (random.chance(0.18)) points.push(interval('floors', 'tracker', bout.startMs, endMs, random.integer(1, 3)));
    }
    if (bout.phoneCarried) {
      const fromMs = bout.startMs - random.integer(5, 40) * 1000;
      const toMs = endMs + random.integer(5, 40) * 1000;
      const steps = Math.round(bout.stepsPerMinute * bout.minutes * random.between(0.85, 1.04));
      points.push(...moved('phone', fromMs, toMs, steps, Math.round(steps * MILLIMETERS_PER_STEP * 0.97)));
    }
    return points;
  });
}

function workoutMovement({ seed, day, workout }: LifeDay, density: Density): KnownPoint[] {
  if (!workout) return [];
  const random = new Random(seed, day.number, 'workout movement');
  return pieces(workout.startMs, workout.endMs, density.movementMs).flatMap(([fromMs, toMs]) => {
    const minutes = (toMs - fromMs) / MS_PER_MINUTE;
    const effort = random.between(0.9, 1.1);
    const steps = Math.round(workout.stepsPerMinute * effort * minutes);
    const points = [burned(fromMs, toMs, workout.kcalPerMinute * effort * minutes)];
    if (steps > 0)
      points.push(
        ...moved('tracker', fromMs, toMs, steps, Math.round(workout.metersPerMinute * effort * minutes) * 1000),
      );
    const zone = workout.heartRate > 140 ? 'CARDIO' : 'FAT_BURN';
    const zoneMinutes = (zone === 'CARDIO' ? 2 : 1) * minutes;
    if (workout.heartRate > 100) {
      points.push(
        interval('active-zone-minutes', 'tracker', fromMs, toMs, {
          heartRateZone: zone,
          activeZoneMinutes: zoneMinutes,
        }),
      );
    }
    return points;
  });
}

/** Returns ten minutes with zero steps. The user wears the tracker, so the zeros are real. */
function quietEvening({ bedtimeMs }: LifeDay): KnownPoint[] {
  return moved('tracker', bedtimeMs - 20 * MS_PER_MINUTE, bedtimeMs - 10 * MS_PER_MINUTE, 0, 0);
}

function basalEnergy({ day, basalKcalPerMinute }: LifeDay, density: Density): KnownPoint[] {
  return pieces(day.startMs, day.endMs, density.basalMs).map(([fromMs, toMs]) =>
    interval(
      'basal-energy-burned',
      'tracker',
      fromMs,
      toMs,
      rounded((basalKcalPerMinute * (toMs - fromMs)) / MS_PER_MINUTE, 3),
    ),
  );
}

function moved(source: SourceKey, fromMs: number, toMs: number, steps: number, millimeters: number): KnownPoint[] {
  return [interval('steps', source, fromMs, toMs, steps), interval('distance', source, fromMs, toMs, millimeters)];
}

function burned(fromMs: number, toMs: number, kcal: number): KnownPoint {
  return interval('active-energy-burned', 'tracker', fromMs, toMs, rounded(kcal, 2));
}

function interval(
  dataType: string,
  source: SourceKey,
  fromMs: number,
  toMs: number,
  value: KnownPoint['point']['value'],
): KnownPoint {
  const knownMs = source === 'phone' ? atHour(toMs) : atQuarter(toMs);
  return { knownMs, point: { dataType, source, startTime: iso(fromMs), endTime: iso(toMs), value } };
}

function pieces(fromMs: number, toMs: number, lengthMs: number): [number, number][] {
  const list: [number, number][] = [];
  for (let at = fromMs; at < toMs; at += lengthMs) list.push([at, Math.min(at + lengthMs, toMs)]);
  return list;
}
