import {
  type DeletionRecord,
  dayStartMs,
  type HealthRecord,
  MS_PER_MINUTE,
  type SampleKind,
  type SeriesCode,
  type SleepStageRecord,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import { GARMIN, PHONE, WATCH } from './records.js';

/** Returns a number in [0, 1) that depends only on the arguments. */
function chance(...seed: number[]): number {
  let state = 0x9e3779b9;
  for (const part of seed) {
    state = Math.imul(state ^ Math.floor(part), 0x85ebca6b);
    state ^= state >>> 13;
  }
  state = Math.imul(state, 0xc2b2ae35);
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns the offset of the generated user: home, two weeks in the far east, home again, then the west. */
export function offsetOn(day: number, firstDay: number): number {
  const at = day - firstDay;
  return at >= 20 && at < 34 ? 540 : at >= 45 ? -420 : 60;
}

/**
 * Returns generated days of a user. A phone and a watch of one store overlap, and another vendor's watch adds data. The
 * days include intervals across midnight, samples without an offset, daily totals, nights in stages, and workouts
 * without a heart rate.
 */
export function livedDays(firstDay: number, days: number): HealthRecord[] {
  return Array.from({ length: days }, (_, at) => livedDay(firstDay + at, firstDay)).flat();
}

function livedDay(day: number, firstDay: number): HealthRecord[] {
  const offset = offsetOn(day, firstDay);
  const midnight = dayStartMs(day, offset);
  const at = (minute: number) => midnight + minute * MS_PER_MINUTE;
  const records: HealthRecord[] = [];
  const add = (
    code: SeriesCode,
    minute: number,
    value: number,
    more: { source?: SourceIdentity; minutes?: number; unplaced?: boolean; kind?: SampleKind } = {},
  ) => {
    const { source = WATCH, minutes, unplaced = false, kind = 'sample' } = more;
    records.push({
      kind: 'sample',
      source,
      typeId: seriesTypeByCode(code).id,
      startMs: at(minute),
      value,
      sampleKind: kind,
      durationMs: minutes === undefined ? undefined : minutes * MS_PER_MINUTE,
      offsetMinutes: unplaced ? undefined : offset,
    });
  };
  const of = (name: number, low: number, high: number) =>
    low + Math.floor(chance(day, name) * (high - low) * 100) / 100;

  for (let slot = 0; slot < 30; slot++) {
    const minute = 420 + slot * 30 + of(slot, 0, 9);
    if (chance(day, slot, 1) < 0.8)
      add('steps', minute, Math.floor(of(slot + 50, 5, 400)), { minutes: of(slot, 2, 12) });
    if (chance(day, slot, 2) < 0.6) {
      const facts = { source: PHONE, minutes: of(slot + 9, 3, 14) };
      add('steps', minute + of(slot, 0, 6), Math.floor(of(slot + 70, 5, 300)), facts);
      add('distance_walking_running', minute, of(slot + 90, 1, 250), facts);
    }
    add('energy', minute, of(slot + 110, 0.1, 9), { minutes: 7.5 });
    add('basal_energy', minute - 10, of(slot + 130, 5, 15), { minutes: 22.25 });
    if (slot % 3 === 0) add('heart_rate', minute + 1.5, Math.floor(of(slot + 150, 60, 170)));
    if (slot % 7 === 0) add('heart_rate', minute + 3.2, of(slot + 170, 60, 120), { source: GARMIN, unplaced: true });
    if (slot % 5 === 0) add('steps', minute, Math.floor(of(slot, 20, 90)), { source: GARMIN, unplaced: true });
  }
  // Across midnight, the watch and the phone disagree about the minutes with steps.
  add('steps', 1431.5, 60, { minutes: 16 });
  add('steps', 1436, 45, { source: PHONE, minutes: 9.5 });
  add('steps', 1429, 33, { minutes: 2.5 });
  add('basal_energy', 1410, 31.7, { minutes: 60 });
  if (day % 4 === 0) add('steps', 0, 6000 + (day % 7), { source: GARMIN, unplaced: true, kind: 'daily_total' });
  add('flights_climbed', 600, 1 + (day % 3), { minutes: 5 });
  if (day % 3 === 0) add('weight', 421, 80 + of(300, 0, 3), { source: PHONE });
  if (day % 5 === 0) {
    add('blood_pressure_systolic', 430, 118 + (day % 9), { source: PHONE });
    add('blood_pressure_diastolic', 430, 76 + (day % 5), { source: PHONE });
  }
  add('resting_heart_rate', 700, 52 + (day % 6));
  add('environmental_audio_exposure', 710, of(301, 40, 80), { minutes: 30 });

  // The night ends on this day.
  const bed = -70 + Math.floor(of(310, 0, 40));
  const stage = (name: SleepStageRecord['stage'], from: number, to: number): SleepStageRecord => ({
    kind: 'sleep_stage',
    source: WATCH,
    stage: name,
    startMs: at(from),
    endMs: at(to),
    offsetMinutes: offset,
  });
  records.push(stage('light', bed, 80), stage('deep', 80, 150), stage('awake', 150, 158), stage('rem', 158, 400));
  for (let minute = bed; minute < 400; minute += 10) {
    add('heart_rate', minute, Math.floor(of(400 + minute, 45, 65)));
    if (minute % 30 === 0) add('respiratory_rate', minute, of(900 + minute, 12, 17));
    if (minute % 40 === 0) add('heart_rate_variability_sdnn', minute + 0.5, of(1400 + minute, 20, 90));
    if (minute % 50 === 0) add('oxygen_saturation', minute + 0.25, Math.floor(of(1900 + minute, 93, 99)));
  }
  if (day % 2 === 0) {
    records.push({
      kind: 'workout',
      source: WATCH,
      type: 'running',
      externalId: `run ${day}`,
      startMs: at(480),
      endMs: at(540),
      offsetMinutes: offset,
    });
    for (let second = 0; second < 3600; second += 20) add('heart_rate', 480 + second / 60, 120 + (second % 37));
  }
  return records;
}

/** Returns a device's report of deleted samples of one series. */
export function deletionOf(code: SeriesCode, startMs: number, endMs: number): DeletionRecord {
  return { kind: 'deletion', provider: 'apple', of: 'samples', typeId: seriesTypeByCode(code).id, startMs, endMs };
}
