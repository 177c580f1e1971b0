import { formatOffset, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import type { Calendar, LocalDay } from '../calendar.js';
import type { Random } from '../random.js';
import { clockText } from './dates.js';
import { nightIn, type PolarForms, type TrueNightSeconds } from './forms.js';
import type { PolarDated, PolarPeriod } from './wire-types.js';

const FIVE_MINUTES_MS = 5 * MS_PER_MINUTE;
/** Codes of the hypnogram. */
const CODES = { awake: 0, rem: 1, light: 2, lightToo: 3, deep: 4, unknown: 5 };
const QUALITIES = ['UNKNOWN', 'WEAK', 'COMPROMISED', 'CLEARLY_RECOGNIZABLE'];
const GRADES = ['WEAK', 'FAIR', 'STRONG', 'EXCELLENT'];

/** The night before a day, in the vendor's format. */
export interface PolarNight {
  startMs: number;
  endMs: number;
  sleep: PolarDated;
  seconds: TrueNightSeconds;
  recharge: PolarDated;
  alertness: PolarPeriod;
  bedtime: PolarPeriod;
}

/**
 * Generates a night with durations equal to its hypnogram.
 * @param forms the account's formats. A night with only a hypnogram must not contain a clock change, because a repeated
 * hour has only one entry
 */
export function madeUpNight(
  calendar: Calendar,
  random: Random,
  day: LocalDay,
  forms: { wanted: PolarForms; random: Random },
): PolarNight {
  const minuteMs = day.startMs + Math.round(random.bell(-35, 40)) * MS_PER_MINUTE;
  const isOdd =
    forms.random.chance(0.5) && calendar.offsetAt(minuteMs) === calendar.offsetAt(day.startMs + 12 * MS_PER_HOUR);
  const form = isOdd ? forms.wanted.night : 'whole';
  // Starts on a full minute if the hypnogram must be exact, because a hypnogram has whole minutes.
  const startMs = minuteMs + (form === 'hypnogram' || form === 'missing_sum' ? 0 : 10_000);
  const phases = madeUpPhases(random, Math.round(random.bell(450, 35)));
  const endMs = startMs + phases.reduce((sum, { minutes }) => sum + minutes, 0) * MS_PER_MINUTE;
  const seconds = (...codes: number[]) =>
    60 * phases.filter(({ code }) => codes.includes(code)).reduce((sum, { minutes }) => sum + minutes, 0);
  const keyAt = (ms: number) => clockText(ms, calendar.offsetAt(ms)).slice(11, 16);
  const hypnogram: Record<string, number> = {};
  let at = startMs;
  for (const { code, minutes } of phases) {
    hypnogram[keyAt(at)] = code;
    at += minutes * MS_PER_MINUTE;
  }
  const everyFive = (fromMs: number, toMs: number, make: () => number) => {
    const readings: Record<string, number> = {};
    for (let ms = Math.ceil(fromMs / FIVE_MINUTES_MS) * FIVE_MINUTES_MS; ms < toMs; ms += FIVE_MINUTES_MS) {
      readings[keyAt(ms)] = make();
    }
    return readings;
  };
  const restMs = startMs + 30 * MS_PER_MINUTE;
  const status = random.integer(1, 6);
  const utc = (ms: number) => clockText(ms, 0);
  const periods = { period_start_time: utc(startMs), sleep_timezone_offset_minutes: calendar.offsetAt(endMs) };
  const mean = (readings: Record<string, number>, digits: number) => {
    const values = Object.values(readings);
    return Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(digits));
  };
  const hrv_samples = everyFive(restMs, restMs + 4 * MS_PER_HOUR, () => random.integer(35, 95));
  const breathing_samples = everyFive(restMs, restMs + 4 * MS_PER_HOUR, () => Number(random.bell(13.5, 1).toFixed(1)));
  const truth = {
    awake: seconds(CODES.awake),
    light: seconds(CODES.light, CODES.lightToo),
    deep: seconds(CODES.deep),
    rem: seconds(CODES.rem),
    asleep: seconds(CODES.light, CODES.lightToo, CODES.deep, CODES.rem, CODES.unknown),
  };
  const whole: PolarDated = {
    date: day.date,
    polar_user: 'https://www.polaraccesslink.com/v3/users/1',
    sleep_start_time: withOffset(calendar, startMs),
    sleep_end_time: withOffset(calendar, endMs),
    device_id: 'B0B1C2D3',
    continuity: Number(random.between(1, 5).toFixed(1)),
    continuity_class: random.integer(1, 5),
    light_sleep: truth.light,
    deep_sleep: truth.deep,
    rem_sleep: truth.rem,
    unrecognized_sleep_stage: seconds(CODES.unknown),
    sleep_score: random.integer(50, 97),
    total_interruption_duration: truth.awake,
    sleep_charge: random.integer(1, 5),
    sleep_goal: 28_800,
    // 0 if the user did not rate the night.
    sleep_rating: random.chance(0.4) ? random.integer(1, 5) : 0,
    sleep_cycles: random.integer(3, 6),
    group_duration_score: random.integer(50, 100),
    group_solidity_score: Number(random.between(50, 100).toFixed(1)),
    group_regeneration_score: Number(random.between(50, 100).toFixed(1)),
    hypnogram,
    heart_rate_samples: everyFive(startMs, endMs, () => random.integer(46, 66)),
  };
  const written = nightIn(form, whole, truth, forms.random);
  return {
    startMs,
    endMs,
    sleep: written.sleep,
    seconds: written.truth,
    recharge: {
      date: day.date,
      heart_rate_avg: random.integer(46, 60),
      beat_to_beat_avg: random.integer(1_000, 1_250),
      heart_rate_variability_avg: Math.round(mean(hrv_samples, 0)),
      breathing_rate_avg: mean(breathing_samples, 1),
      nightly_recharge_status: status,
      ans_charge: Number(random.between(-9, 9).toFixed(1)),
      ans_charge_status: random.integer(1, 5),
      ...(forms.wanted.recharge === 'readings' && { hrv_samples, breathing_samples }),
    },
    alertness: {
      ...periods,
      grade: Number(random.between(3, 9.5).toFixed(1)),
      grade_validity_seconds: 57_600,
      grade_type: 'GRADE_TYPE_PRIMARY',
      grade_classification: `GRADE_CLASSIFICATION_${GRADES[random.integer(0, 3)]}`,
      validity: random.chance(0.8) ? 'VALIDITY_VALID' : 'VALIDITY_ESTIMATE',
      sleep_inertia: 'SLEEP_INERTIA_MILD',
      sleep_type: 'SLEEP_TYPE_PRIMARY',
      result_type: 'ALERTNESS_TYPE_HISTORY',
      period_end_time: utc(endMs + 15 * MS_PER_HOUR),
      sleep_period_start_time: `${utc(startMs)}.5`,
      sleep_period_end_time: utc(endMs),
      hourly_data: [],
    },
    bedtime: {
      ...periods,
      validity: 'VALIDITY_VALID',
      quality: `CIRCADIAN_BEDTIME_QUALITY_${QUALITIES[random.integer(0, 3)]}`,
      result_type: 'CIRCADIAN_BEDTIME_TYPE_HISTORY',
      period_end_time: utc(endMs),
      preferred_sleep_period_start_time: utc(startMs),
      preferred_sleep_period_end_time: utc(endMs),
      sleep_gate_start_time: utc(startMs),
      sleep_gate_end_time: utc(startMs + MS_PER_HOUR),
    },
  };
}

/** Returns the vendor's forecast of the next night. */
export function predicted({ alertness, bedtime, startMs }: PolarNight) {
  const period_start_time = clockText(startMs + 24 * MS_PER_HOUR, 0);
  return {
    alertness: { ...alertness, period_start_time, result_type: 'ALERTNESS_TYPE_PREDICTION' },
    bedtime: { ...bedtime, period_start_time, result_type: 'CIRCADIAN_BEDTIME_TYPE_PREDICTION' },
  };
}

/** Minutes of each stage in order; some minutes are unrecognized. */
function madeUpPhases(random: Random, length: number): { code: number; minutes: number }[] {
  const order = [CODES.light, CODES.deep, CODES.lightToo, CODES.rem, CODES.awake, CODES.unknown];
  const phases = [{ code: CODES.awake, minutes: random.integer(3, 12) }];
  for (let left = length, n = 0; left > 0; n++) {
    const code = order[n % order.length] as number;
    const isShort = code === CODES.awake || code === CODES.unknown;
    const minutes = Math.min(left, isShort ? random.integer(2, 6) : random.integer(14, 45));
    phases.push({ code, minutes });
    left -= minutes;
  }
  return phases;
}

/** Returns the local time with its offset. */
function withOffset(calendar: Calendar, ms: number): string {
  const offset = calendar.offsetAt(ms);
  return `${clockText(ms, offset)}${formatOffset(offset)}`;
}
