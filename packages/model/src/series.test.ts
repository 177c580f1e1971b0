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

/** Id ranges of the categories; stored ids depend on them. */
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
  it('lists 93 series types with unique ids and codes', () => {
    expect(SERIES_TYPES).toHaveLength(93);
    expect(new Set(SERIES_TYPES.map((type) => type.id)).size).toBe(93);
    expect(new Set(SERIES_CODES).size).toBe(93);
  });

  it('never uses the id 6 of a retired series', () => {
    expect(seriesTypeById(6)).toBeUndefined();
  });

  it('lists the series categories in the order of their ids', () => {
    expect(SERIES_CATEGORIES).toEqual(CATEGORY_RANGES.map(([category]) => category));
  });

  it.each(CATEGORY_RANGES)('%s contains exactly the series types with ids %i to %i', (category, first, last) => {
    for (const type of SERIES_TYPES) {
      expect(type.category === category, type.code).toBe(type.id >= first && type.id <= last);
    }
  });

  it('lists series types in the order of validation messages', () => {
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

  it("merges a provider's sources only for steps, energy, distance and floors", () => {
    expect(codesOf(MERGED_TYPE_IDS)).toEqual([
      'steps',
      'energy',
      'basal_energy',
      'flights_climbed',
      'distance_walking_running',
    ]);
  });

  it('marks recovery series as nightly', () => {
    expect(codesOf(NIGHTLY_TYPE_IDS)).toEqual([
      'heart_rate',
      'heart_rate_variability_sdnn',
      'heart_rate_variability_rmssd',
      'oxygen_saturation',
      'respiratory_rate',
    ]);
  });

  it('archives all series except single events and sparse readings', () => {
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

  it('finds no series type for an unknown code', () => {
    expect(seriesTypeByCode('recovery_score' as string)).toBeUndefined();
    expect(seriesTypeByCode('constructor' as string)).toBeUndefined();
  });

  it('has literal types for series codes', () => {
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

  it.each(['sum', 'max', 'last'] as const)('%s applies to exactly the expected series', (rule) => {
    const codes = SERIES_TYPES.filter((type) => type.rule === rule).map((type) => type.code);
    expect(codes.toSorted()).toEqual(EXPECTED[rule].toSorted());
  });

  it("adds up a day's drinks, not its fibrillation burden", () => {
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
