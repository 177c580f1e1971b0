import { type HealthRecord, type HealthScoreRecord, isOffsetMinutes, localDate, MS_PER_DAY } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { isObject, numberOf, type PayloadObject } from '../../payload/index.js';
import { countUnreadable, instantMs, type ReadMembers } from '../../rest/index.js';
import { POLAR_SOURCE, replacedScore } from './source.js';
import { componentsOf, notNegative, wordOf } from './values.js';

/** Of other periods the vendor says that it knows too little. */
const VALID: ReadonlySet<unknown> = new Set(['VALIDITY_ESTIMATE', 'VALIDITY_VALID']);
const OTHER_SLEEPS: ReadonlySet<unknown> = new Set(['SLEEP_TYPE_SECONDARY', 'SLEEP_TYPE_ARTIFICIAL']);
const QUALITIES = ['weak', 'compromised', 'clearly recognizable'];
const PERIOD_MEMBERS: ReadMembers = {
  validity: /^VALIDITY_/,
  sleep_timezone_offset_minutes: 'number',
  sleep_period_end_time: 'instant',
  preferred_sleep_period_end_time: 'instant',
};
const ALERTNESS_MEMBERS: ReadMembers = {
  ...PERIOD_MEMBERS,
  grade: 'number',
  grade_validity_seconds: 'number',
  grade_type: /^GRADE_TYPE_/,
  grade_classification: /^GRADE_CLASSIFICATION_/,
  sleep_inertia: /^SLEEP_INERTIA_/,
  sleep_type: /^SLEEP_TYPE_/,
  result_type: /^ALERTNESS_TYPE_/,
};
const BEDTIME_MEMBERS: ReadMembers = {
  ...PERIOD_MEMBERS,
  quality: /^CIRCADIAN_BEDTIME_QUALITY_(UNKNOWN|WEAK|COMPROMISED|CLEARLY_RECOGNIZABLE)$/,
  result_type: /^CIRCADIAN_BEDTIME_TYPE_/,
  sleep_gate_start_time: 'instant',
  sleep_gate_end_time: 'instant',
};

type Score = Pick<HealthScoreRecord, 'category' | 'value' | 'qualifier' | 'components'>;

/** How alert the main sleep of a date leaves the person: 0 to 10. Other sleeps of the date have no place beside it. */
export function alertnessRecords(periods: readonly unknown[], tally: Tally): HealthRecord[] {
  return periods.flatMap((period) =>
    periodRecords(period, 'sleepwise-alertness', ALERTNESS_MEMBERS, tally, isOfMainSleep, (one): Score | undefined => {
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

/** How well the time of going to bed can be recognized: 1 to 3. It rates the timing of sleep, not a night. */
export function bedtimeRecords(periods: readonly unknown[], tally: Tally): HealthRecord[] {
  return periods.flatMap((period) =>
    periodRecords(period, 'sleepwise-bedtime', BEDTIME_MEMBERS, tally, isPastBedtime, (one): Score | undefined => {
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

function isOfMainSleep(one: PayloadObject): boolean {
  const isPast = one.grade_type === 'GRADE_TYPE_PRIMARY' && one.result_type === 'ALERTNESS_TYPE_HISTORY';
  return isPast && !OTHER_SLEEPS.has(one.sleep_type);
}

function isPastBedtime({ result_type: type }: PayloadObject): boolean {
  return type === 'CIRCADIAN_BEDTIME_TYPE_HISTORY';
}

/**
 * A period has the id of the local date on which it ends the night: its beginning may be corrected. One that lost its score
 * loses the score that is stored; a period that does not count changes nothing.
 */
function periodRecords(
  period: unknown,
  kind: string,
  members: ReadMembers,
  tally: Tally,
  counts: (period: PayloadObject) => boolean,
  read: (period: PayloadObject) => Score | undefined,
): HealthRecord[] {
  const index = tally.next();
  const one = isObject(period) ? period : {};
  const offset = numberOf(one.sleep_timezone_offset_minutes);
  const offsetMinutes = offset !== undefined && isOffsetMinutes(offset) ? offset : undefined;
  // Without a zone it is UTC.
  const atMs = instantMs(one.period_start_time);
  if (Number.isNaN(atMs)) {
    tally.reject(index, 'period_start_time', 'invalid_date');
    return [];
  }
  countUnreadable(one, members, tally.fault);
  if (!counts(one)) {
    tally.noValue++;
    return [];
  }
  const score = VALID.has(one.validity) ? read(one) : undefined;
  const wakeMs = instantMs(one.sleep_period_end_time ?? one.preferred_sleep_period_end_time);
  const externalId = `${kind}/${localDate(Number.isNaN(wakeMs) ? atMs : wakeMs, offsetMinutes ?? 0)}`;
  const around = { startMs: atMs - MS_PER_DAY, endMs: atMs + MS_PER_DAY };
  if (!score) {
    tally.noValue++;
    // Without waking it may be the date before.
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
