import { type HealthRecord, type HealthScoreRecord, isOffsetMinutes, localDate, MS_PER_DAY } from '@healthd/model';
import { z } from 'zod';
import type { Tally } from '../../cloud/index.js';
import { isObject, type PayloadOf, readPayload } from '../../payload/index.js';
import { instantMs } from '../../rest/index.js';
import { POLAR_SOURCE, replacedScore } from './source.js';
import { componentsOf, INSTANT, notNegative, wordOf } from './values.js';

/** Validity values of a period that has enough data. */
const VALID: ReadonlySet<unknown> = new Set(['VALIDITY_ESTIMATE', 'VALIDITY_VALID']);
const OTHER_SLEEPS: ReadonlySet<unknown> = new Set(['SLEEP_TYPE_SECONDARY', 'SLEEP_TYPE_ARTIFICIAL']);
const QUALITIES = ['weak', 'compromised', 'clearly recognizable'];

/** Common fields of both period types. Both require `period_start_time`. Times are UTC. */
const PERIOD = {
  validity: z.string().startsWith('VALIDITY_'),
  sleep_timezone_offset_minutes: z.number(),
  sleep_period_end_time: INSTANT,
  preferred_sleep_period_end_time: INSTANT,
};
const ALERTNESS = z.object({
  ...PERIOD,
  /** 0 to 10. */
  grade: z.number(),
  grade_validity_seconds: z.number(),
  grade_type: z.string().startsWith('GRADE_TYPE_'),
  grade_classification: z.string().startsWith('GRADE_CLASSIFICATION_'),
  sleep_inertia: z.string().startsWith('SLEEP_INERTIA_'),
  sleep_type: z.string().startsWith('SLEEP_TYPE_'),
  /** `…_HISTORY`, or `…_PREDICTION` for a forecast. */
  result_type: z.string().startsWith('ALERTNESS_TYPE_'),
});
const BEDTIME = z.object({
  ...PERIOD,
  quality: z.enum([
    'CIRCADIAN_BEDTIME_QUALITY_UNKNOWN',
    'CIRCADIAN_BEDTIME_QUALITY_WEAK',
    'CIRCADIAN_BEDTIME_QUALITY_COMPROMISED',
    'CIRCADIAN_BEDTIME_QUALITY_CLEARLY_RECOGNIZABLE',
  ]),
  /** `…_HISTORY`, or `…_PREDICTION` for a forecast. */
  result_type: z.string().startsWith('CIRCADIAN_BEDTIME_TYPE_'),
  sleep_gate_start_time: INSTANT,
  sleep_gate_end_time: INSTANT,
});
type Period = PayloadOf<z.ZodObject<typeof PERIOD>>;

type Score = Pick<HealthScoreRecord, 'category' | 'value' | 'qualifier' | 'components'>;

/** Returns the user's alertness after each date's main sleep, 0 to 10. Ignores other sleeps. */
export function alertnessRecords(periods: readonly unknown[], tally: Tally): HealthRecord[] {
  return periods.flatMap((period) =>
    periodRecords(period, 'sleepwise-alertness', ALERTNESS, tally, isOfMainSleep, (one): Score | undefined => {
      const value = notNegative(one.grade);
      if (value === undefined) return undefined;
      const words = wordsOf({
        sleep_inertia: wordOf(one.sleep_inertia, 'SLEEP_INERTIA_'),
        sleep_type: wordOf(one.sleep_type, 'SLEEP_TYPE_'),
      });
      return {
        category: 'readiness',
        value,
        qualifier: wordOf(one.grade_classification, 'GRADE_CLASSIFICATION_'),
        components: { ...componentsOf(one, ['grade_validity_seconds'], notNegative), ...words },
      };
    }),
  );
}

/** Returns the quality of the bedtime estimate, 1 to 3. It rates the timing of sleep, not a night. */
export function bedtimeRecords(periods: readonly unknown[], tally: Tally): HealthRecord[] {
  return periods.flatMap((period) =>
    periodRecords(period, 'sleepwise-bedtime', BEDTIME, tally, isPastBedtime, (one): Score | undefined => {
      const qualifier = wordOf(one.quality, 'CIRCADIAN_BEDTIME_QUALITY_') ?? '';
      const value = QUALITIES.indexOf(qualifier) + 1;
      if (value === 0) return undefined;
      const components = {
        ...wordsOf({
          sleep_gate_start: instantText(one.sleep_gate_start_time),
          sleep_gate_end: instantText(one.sleep_gate_end_time),
          result_type: wordOf(one.result_type, 'CIRCADIAN_BEDTIME_TYPE_'),
        }),
      };
      return { category: 'sleep_timing', value, qualifier, components };
    }),
  );
}

function isOfMainSleep(one: PayloadOf<typeof ALERTNESS>): boolean {
  const isPast = one.grade_type === 'GRADE_TYPE_PRIMARY' && one.result_type === 'ALERTNESS_TYPE_HISTORY';
  return isPast && !OTHER_SLEEPS.has(one.sleep_type);
}

function isPastBedtime({ result_type: type }: PayloadOf<typeof BEDTIME>): boolean {
  return type === 'CIRCADIAN_BEDTIME_TYPE_HISTORY';
}

/**
 * Returns the records of a period. The local date of waking identifies the period, because its start may be corrected.
 * Deletes the stored score of a period whose score was removed. Ignores forecasts and secondary periods.
 */
function periodRecords<Shape extends typeof PERIOD>(
  period: unknown,
  kind: string,
  type: z.ZodObject<Shape>,
  tally: Tally,
  counts: (period: PayloadOf<z.ZodObject<Shape>>) => boolean,
  read: (period: PayloadOf<z.ZodObject<Shape>>) => Score | undefined,
): HealthRecord[] {
  const index = tally.next();
  const atMs = isObject(period) ? instantMs(period.period_start_time) : Number.NaN;
  if (!isObject(period) || Number.isNaN(atMs)) {
    tally.reject(index, 'period_start_time', 'invalid_date');
    return [];
  }
  const one = readPayload(type, period, tally.fault);
  if (!counts(one)) {
    tally.noValue++;
    return [];
  }
  const { validity, sleep_timezone_offset_minutes: offset, ...ends }: Period = one;
  const offsetMinutes = offset !== undefined && isOffsetMinutes(offset) ? offset : undefined;
  const score = VALID.has(validity) ? read(one) : undefined;
  const wakeMs = instantMs(ends.sleep_period_end_time ?? ends.preferred_sleep_period_end_time);
  const externalId = `${kind}/${localDate(Number.isNaN(wakeMs) ? atMs : wakeMs, offsetMinutes ?? 0)}`;
  const around = { startMs: atMs - MS_PER_DAY, endMs: atMs + MS_PER_DAY };
  if (!score) {
    tally.noValue++;
    // Deletes nothing without a waking time, because the true date may be the previous date.
    return Number.isNaN(wakeMs) ? [] : [replacedScore(externalId, around)];
  }
  return [
    replacedScore(externalId, around),
    { kind: 'health_score', source: POLAR_SOURCE, externalId, atMs, offsetMinutes, ...score },
  ];
}

function wordsOf(words: Readonly<Record<string, string | undefined>>): NonNullable<HealthScoreRecord['components']> {
  const known = Object.entries(words).filter(([, word]) => word !== undefined);
  return Object.fromEntries(known.map(([name, word]) => [name, { value: null, qualifier: word ?? null }]));
}

function instantText(value: unknown): string | undefined {
  const ms = instantMs(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
