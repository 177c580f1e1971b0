import type { SeriesCode } from '@healthd/model';
import type { PayloadObject } from '../../payload/index.js';
import type { RecordForm, SeriesType, SeriesValue } from './data-type.js';
import { numberAt, objectsOf } from './member-values.js';

type Reader = (payload: PayloadObject) => number | undefined;

interface Amount {
  /** Number of vendor units in one unit of the series. */
  per?: number;
  /**
   * True if the vendor omits zero values. An interval without a value then means that the device recorded no activity.
   */
  zeroWhenAbsent?: boolean;
}

/** Maps the member at a path of points, and at another path of roll-ups. */
function amount(series: SeriesCode, point: string, rollUp?: string, { per = 1, zeroWhenAbsent }: Amount = {}) {
  const reader =
    (path: string): Reader =>
    (payload) => {
      const value = numberAt(payload, path) ?? (zeroWhenAbsent && !hasValue(payload, path) ? 0 : undefined);
      return value === undefined ? undefined : value / per;
    };
  if (rollUp === undefined) return { series, ofPoint: reader(point) };
  const [least, greatest] = ['Min', 'Max'].map((end) => reader(rollUp.replace(MEAN, end))) as [Reader, Reader];
  const extremesOfRollUp = (payload: PayloadObject) => {
    const [minimum, maximum] = [least(payload), greatest(payload)];
    return minimum === undefined || maximum === undefined ? undefined : { minimum, maximum };
  };
  return {
    series,
    ofPoint: reader(point),
    ofRollUp: reader(rollUp),
    extremesOfRollUp: MEAN.test(rollUp) ? extremesOfRollUp : undefined,
  };
}

/** Suffix of the vendor's mean members. The members for minimum and maximum have another suffix. */
const MEAN = /Avg$/;

function hasValue(payload: PayloadObject, member: string): boolean {
  return payload[member] !== undefined && payload[member] !== null;
}

/** Light, moderate and vigorous minutes, without sedentary minutes. */
const ACTIVE_TIME: SeriesValue = {
  series: 'active_time',
  ofPoint: minutesOfLevels('activeMinutesByActivityLevel', 'activeMinutes'),
  ofRollUp: minutesOfLevels('activeMinutesRollupByActivityLevel', 'activeMinutesSum'),
};

function minutesOfLevels(list: string, member: string): Reader {
  return (payload) => objectsOf(payload[list]).reduce((sum, level) => sum + (numberAt(level, member) ?? 0), 0);
}

/** The night's skin temperature minus its baseline. */
const SKIN_DEVIATION: SeriesValue = {
  series: 'skin_temperature_deviation',
  ofPoint: (payload) => {
    const nightly = numberAt(payload, 'nightlyTemperatureCelsius');
    const baseline = numberAt(payload, 'baselineTemperatureCelsius');
    // Seven decimals exceed any sensor's precision and hide the rounding error of the subtraction.
    return nightly === undefined || baseline === undefined ? undefined : Number((nightly - baseline).toFixed(7));
  },
};

const COUNTED: Amount = { zeroWhenAbsent: true };
const MILLI: Amount = { per: 1000 };

function type(
  id: string,
  form: RecordForm,
  values: readonly SeriesValue[],
  further: Partial<
    Pick<SeriesType, 'listable' | 'rollUpDays' | 'chunkDays' | 'listWhenEmpty' | 'mayBeEmpty' | 'optional'>
  > = {},
): SeriesType {
  return {
    id,
    form,
    values,
    listable: true,
    chunkDays: 90,
    listWhenEmpty: false,
    mayBeEmpty: false,
    optional: false,
    ...further,
  };
}

/**
 * The vendor's data types that become series. Distance covers movement on foot; the distances of rides and swims are
 * in the workouts. Window lengths are chosen so that a window takes about ten requests and fits in memory.
 */
export const SERIES_TYPES_READ = {
  steps: type('steps', 'interval', [amount('steps', 'count', 'countSum', COUNTED)], { rollUpDays: 90, chunkDays: 7 }),
  distance: type(
    'distance',
    'interval',
    [amount('distance_walking_running', 'millimeters', 'millimetersSum', { ...MILLI, ...COUNTED })],
    { rollUpDays: 90, chunkDays: 7 },
  ),
  floors: type('floors', 'interval', [amount('flights_climbed', 'count', 'countSum', COUNTED)], {
    listable: false,
    optional: true,
    rollUpDays: 90,
    chunkDays: 30,
  }),
  activeEnergy: type('active-energy-burned', 'interval', [amount('energy', 'kcal', 'kcalSum', COUNTED)], {
    rollUpDays: 90,
    chunkDays: 7,
  }),
  activeMinutes: type('active-minutes', 'interval', [ACTIVE_TIME], {
    optional: true,
    rollUpDays: 14,
    chunkDays: 14,
  }),
  hydration: type(
    'hydration-log',
    'session',
    [amount('hydration', 'amountConsumed.milliliters', 'amountConsumed.millilitersSum')],
    { rollUpDays: 90 },
  ),
  heartRate: type('heart-rate', 'sample', [amount('heart_rate', 'beatsPerMinute', 'beatsPerMinuteAvg')], {
    rollUpDays: 14,
    chunkDays: 1,
  }),
  restingHeartRate: type('daily-resting-heart-rate', 'daily', [amount('resting_heart_rate', 'beatsPerMinute')]),
  variability: type(
    'heart-rate-variability',
    'sample',
    [
      amount('heart_rate_variability_rmssd', 'rootMeanSquareOfSuccessiveDifferencesMilliseconds'),
      amount('heart_rate_variability_sdnn', 'standardDeviationMilliseconds'),
    ],
    { mayBeEmpty: true },
  ),
  dailyVariability: type(
    'daily-heart-rate-variability',
    'daily',
    [amount('heart_rate_variability_rmssd', 'averageHeartRateVariabilityMilliseconds')],
    { mayBeEmpty: true, optional: true },
  ),
  saturation: type('oxygen-saturation', 'sample', [amount('oxygen_saturation', 'percentage')], { chunkDays: 7 }),
  dailySaturation: type('daily-oxygen-saturation', 'daily', [amount('oxygen_saturation', 'averagePercentage')], {
    optional: true,
  }),
  respiration: type('daily-respiratory-rate', 'daily', [amount('respiratory_rate', 'breathsPerMinute')]),
  skinTemperature: type(
    'daily-sleep-temperature-derivations',
    'daily',
    [amount('skin_temperature', 'nightlyTemperatureCelsius'), SKIN_DEVIATION],
    { mayBeEmpty: true },
  ),
  runVo2Max: type('run-vo2-max', 'sample', [amount('vo2_max', 'runVo2Max', 'rateAvg')], { rollUpDays: 90 }),
  dailyVo2Max: type('daily-vo2-max', 'daily', [amount('vo2_max', 'vo2Max')], { optional: true }),
  vo2Max: type('vo2-max', 'sample', [amount('vo2_max', 'vo2Max')], { optional: true }),
  weight: type('weight', 'sample', [amount('weight', 'weightGrams', 'weightGramsAvg', MILLI)], {
    rollUpDays: 90,
    listWhenEmpty: true,
  }),
  height: type('height', 'sample', [amount('height', 'heightMillimeters', undefined, { per: 10 })]),
  bodyFat: type('body-fat', 'sample', [amount('body_fat_percentage', 'percentage', 'bodyFatPercentageAvg')], {
    rollUpDays: 90,
    listWhenEmpty: true,
  }),
  coreTemperature: type(
    'core-body-temperature',
    'sample',
    [amount('body_temperature', 'temperatureCelsius', 'temperatureCelsiusAvg')],
    { rollUpDays: 90 },
  ),
  glucose: type(
    'blood-glucose',
    'sample',
    [amount('blood_glucose', 'bloodGlucoseMilligramsPerDeciliter', 'bloodGlucoseMilligramsPerDeciliterAvg')],
    { rollUpDays: 90 },
  ),
} as const satisfies Record<string, SeriesType>;
