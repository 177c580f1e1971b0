import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  ARCHIVED_TYPE_IDS,
  MERGED_TYPE_IDS,
  NIGHTLY_TYPE_IDS,
  SERIES_CATEGORIES,
  SERIES_CODES,
  SERIES_TYPES,
  type SeriesCode,
  type SeriesRule,
  seriesTypeByCode,
  seriesTypeById,
} from './series.js';

/** Id ranges that define the categories; stored ids depend on them. */
const CATEGORY_RANGES = [
  ['Heart & Cardiovascular', 1, 19],
  ['Blood & Respiratory', 20, 39],
  ['Body Composition', 40, 59],
  ['Fitness Metrics', 60, 79],
  ['Activity - Basic', 80, 99],
  ['Activity - Distance', 100, 119],
  ['Activity - Walking', 120, 139],
  ['Activity - Running', 140, 159],
  ['Activity - Swimming', 160, 179],
  ['Activity - Generic', 180, 199],
  ['Environmental', 200, 219],
  ['Provider-Specific', 220, 239],
  ['Other', 500, 599],
] as const;

describe('series types', () => {
  it('series types are 93 with ids and codes of their own', () => {
    expect(SERIES_TYPES).toHaveLength(93);
    expect(new Set(SERIES_TYPES.map((type) => type.id)).size).toBe(93);
    expect(new Set(SERIES_CODES).size).toBe(93);
  });

  it('series types never use id 6, which belonged to a retired series', () => {
    expect(seriesTypeById(6)).toBeUndefined();
  });

  it('series types are in the categories of the coverage answer, in its order', () => {
    expect(SERIES_CATEGORIES).toEqual(CATEGORY_RANGES.map(([category]) => category));
  });

  it.each(CATEGORY_RANGES)('%s holds the ids %i to %i and only those', (category, first, last) => {
    for (const type of SERIES_TYPES) {
      expect(type.category === category, type.code).toBe(type.id >= first && type.id <= last);
    }
  });

  it('series types are listed in the order of the validation messages', () => {
    expect(SERIES_CODES.slice(0, 3)).toEqual(['heart_rate', 'resting_heart_rate', 'heart_rate_variability_sdnn']);
    expect(follower('sleeping_breathing_disturbances')).toBe('breathing_disturbance_index');
    expect(follower('breathing_disturbance_index')).toBe('blood_alcohol_content');
    expect(follower('skin_temperature')).toBe('skin_temperature_deviation');
    expect(follower('skin_temperature_deviation')).toBe('skin_temperature_trend_deviation');
    expect(follower('skin_temperature_trend_deviation')).toBe('waist_circumference');
    expect(SERIES_CODES.at(-1)).toBe('hydration');
  });

  it.each([
    ['heart_rate', 1, 'bpm'],
    ['respiratory_rate', 24, 'brpm'],
    ['blood_glucose', 21, 'mg_dl'],
    ['peak_expiratory_flow_rate', 30, 'L/min'],
    ['body_mass_index', 43, 'kg_m2'],
    ['vo2_max', 60, 'ml_kg_min'],
    ['steps', 80, 'count'],
    ['walking_speed', 121, 'm_per_s'],
    ['power', 181, 'watts'],
    ['longitude', 211, 'degrees'],
    ['hydration', 507, 'mL'],
  ] as const)('%s has the stored id %i and the unit %s', (code, id, unit) => {
    expect(seriesTypeByCode(code)).toMatchObject({ id, unit });
    expect(seriesTypeById(id)?.code).toBe(code);
  });

  it('series types are merged over the sources of a provider where amounts can be spread over time', () => {
    expect(codesOf(MERGED_TYPE_IDS)).toEqual([
      'steps',
      'energy',
      'basal_energy',
      'flights_climbed',
      'distance_walking_running',
    ]);
  });

  it('series types have a value of the night where recovery shows one', () => {
    expect(codesOf(NIGHTLY_TYPE_IDS)).toEqual([
      'heart_rate',
      'heart_rate_variability_sdnn',
      'heart_rate_variability_rmssd',
      'oxygen_saturation',
      'respiratory_rate',
    ]);
  });

  it('series types are archived unless answers need single readings or each sample is an event of its own', () => {
    const archived = codesOf(ARCHIVED_TYPE_IDS);
    expect(SERIES_CODES.filter((code) => !archived.includes(code))).toEqual([
      'resting_heart_rate',
      'heart_rate_variability_sdnn',
      'heart_rate_variability_rmssd',
      'oxygen_saturation',
      'blood_pressure_systolic',
      'blood_pressure_diastolic',
      'height',
      'weight',
      'body_fat_percentage',
      'body_mass_index',
      'lean_body_mass',
      'body_temperature',
      'skin_temperature',
      'skeletal_muscle_mass',
      'inhaler_usage',
      'insulin_delivery',
      'number_of_times_fallen',
      'number_of_alcoholic_beverages',
      'hydration',
    ]);
  });

  it('no series type is found under an unknown code', () => {
    expect(seriesTypeByCode('recovery_score' as string)).toBeUndefined();
    expect(seriesTypeByCode('constructor' as string)).toBeUndefined();
  });

  it('series types have their codes as literal types', () => {
    expectTypeOf<'heart_rate'>().toExtend<SeriesCode>();
    expectTypeOf<'heart_rat'>().not.toExtend<SeriesCode>();
  });
});

describe('the daily rule', () => {
  const EXPECTED: Record<Exclude<SeriesRule, 'avg'>, SeriesCode[]> = {
    sum: [
      'sleeping_breathing_disturbances',
      'steps',
      'energy',
      'basal_energy',
      'stand_time',
      'exercise_time',
      'flights_climbed',
      'active_time',
      'distance_walking_running',
      'distance_cycling',
      'distance_swimming',
      'distance_downhill_snow_sports',
      'distance_other',
      'swimming_stroke_count',
      'time_in_daylight',
      'uv_exposure',
      'inhaler_usage',
      'push_count',
      'insulin_delivery',
      'number_of_times_fallen',
      'number_of_alcoholic_beverages',
      'nike_fuel',
      'hydration',
    ],
    max: ['six_minute_walk_test_distance', 'underwater_depth'],
    last: [
      'height',
      'weight',
      'body_fat_percentage',
      'body_mass_index',
      'lean_body_mass',
      'waist_circumference',
      'body_fat_mass',
      'skeletal_muscle_mass',
      'vo2_max',
      'cardiovascular_age',
      'latitude',
      'longitude',
      'garmin_fitness_age',
    ],
  };

  it.each(['sum', 'max', 'last'] as const)('the daily rule is %s for exactly the series where it must be', (rule) => {
    const codes = SERIES_TYPES.filter((type) => type.rule === rule).map((type) => type.code);
    expect(codes.toSorted()).toEqual(EXPECTED[rule].toSorted());
  });

  it('the daily rule adds up the glasses of a day but never its burden of fibrillation', () => {
    expect(seriesTypeByCode('hydration').rule).toBe('sum');
    expect(seriesTypeByCode('atrial_fibrillation_burden').rule).toBe('avg');
  });
});

function follower(code: SeriesCode): SeriesCode | undefined {
  return SERIES_CODES[SERIES_CODES.indexOf(code) + 1];
}

function codesOf(ids: readonly number[]): (string | undefined)[] {
  return ids.map((id) => seriesTypeById(id)?.code);
}
