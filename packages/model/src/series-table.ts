import {
  AIR_TEMPERATURE,
  ALCOHOL,
  ANY,
  BLOOD_PRESSURE,
  BODY_FAT,
  BODY_MASS_INDEX,
  BREATHING,
  CADENCE,
  CORE_TEMPERATURE,
  COUNTED,
  DEVIATION,
  DISTANCE,
  ENERGY,
  FLOORS,
  GLUCOSE,
  HEART_RATE,
  HEIGHT,
  HYDRATION,
  LATITUDE,
  LONGITUDE,
  MAGNITUDE,
  OXYGEN_UPTAKE,
  POWER,
  RESTING_HEART_RATE,
  SATURATION,
  SKIN_TEMPERATURE,
  SOUND,
  SPEED,
  STEPS,
  VARIABILITY,
  WATER_TEMPERATURE,
  WEIGHT,
} from './plausible.js';

/** Optional properties of a series, documented in `SeriesType`. */
export type SeriesMark = 'single_events' | 'kept' | 'merged' | 'nightly';

/**
 * Series types, grouped by category: id, code, unit, daily rule, plausible bounds and any marks. The order is the order
 * of validation messages, which is not always the order of ids.
 *
 * The database stores the ids: never renumber, only add. Id 6 belonged to a retired series and is not reused. Slowly
 * changing body facts (weight, height, fitness age) keep the day's last value, because their average was never
 * measured. Coordinates are never averaged, because the mean of two places is a third place.
 */
export const SERIES_TABLE = [
  [
    'Heart & Cardiovascular',
    [
      [1, 'heart_rate', 'bpm', 'avg', HEART_RATE, 'nightly'],
      [2, 'resting_heart_rate', 'bpm', 'avg', RESTING_HEART_RATE, 'kept'],
      [3, 'heart_rate_variability_sdnn', 'ms', 'avg', VARIABILITY, 'nightly', 'kept'],
      [4, 'heart_rate_recovery_one_minute', 'bpm', 'avg', ANY],
      [5, 'walking_heart_rate_average', 'bpm', 'avg', HEART_RATE],
      [7, 'heart_rate_variability_rmssd', 'ms', 'avg', VARIABILITY, 'nightly', 'kept'],
    ],
  ],
  [
    'Blood & Respiratory',
    [
      [20, 'oxygen_saturation', 'percent', 'avg', SATURATION, 'nightly', 'kept'],
      [21, 'blood_glucose', 'mg_dl', 'avg', GLUCOSE],
      [22, 'blood_pressure_systolic', 'mmHg', 'avg', BLOOD_PRESSURE, 'kept'],
      [23, 'blood_pressure_diastolic', 'mmHg', 'avg', BLOOD_PRESSURE, 'kept'],
      [24, 'respiratory_rate', 'brpm', 'avg', BREATHING, 'nightly'],
      [25, 'sleeping_breathing_disturbances', 'count', 'sum', COUNTED],
      [31, 'breathing_disturbance_index', 'score', 'avg', MAGNITUDE],
      [26, 'blood_alcohol_content', 'mg_dl', 'avg', ALCOHOL],
      [27, 'peripheral_perfusion_index', 'score', 'avg', MAGNITUDE],
      [28, 'forced_vital_capacity', 'liters', 'avg', MAGNITUDE],
      [29, 'forced_expiratory_volume_1', 'liters', 'avg', MAGNITUDE],
      [30, 'peak_expiratory_flow_rate', 'L/min', 'avg', MAGNITUDE],
    ],
  ],
  [
    'Body Composition',
    [
      [40, 'height', 'cm', 'last', HEIGHT, 'kept'],
      [41, 'weight', 'kg', 'last', WEIGHT, 'kept'],
      [42, 'body_fat_percentage', 'percent', 'last', BODY_FAT, 'kept'],
      [43, 'body_mass_index', 'kg_m2', 'last', BODY_MASS_INDEX, 'kept'],
      [44, 'lean_body_mass', 'kg', 'last', WEIGHT, 'kept'],
      [45, 'body_temperature', 'celsius', 'avg', CORE_TEMPERATURE, 'kept'],
      [46, 'skin_temperature', 'celsius', 'avg', SKIN_TEMPERATURE, 'kept'],
      [50, 'skin_temperature_deviation', 'celsius', 'avg', DEVIATION],
      [51, 'skin_temperature_trend_deviation', 'celsius', 'avg', DEVIATION],
      [47, 'waist_circumference', 'cm', 'last', MAGNITUDE],
      [48, 'body_fat_mass', 'kg', 'last', MAGNITUDE],
      [49, 'skeletal_muscle_mass', 'kg', 'last', MAGNITUDE, 'kept'],
    ],
  ],
  [
    'Fitness Metrics',
    [
      [60, 'vo2_max', 'ml_kg_min', 'last', OXYGEN_UPTAKE],
      [61, 'six_minute_walk_test_distance', 'meters', 'max', MAGNITUDE],
      [62, 'cardiovascular_age', 'years', 'last', MAGNITUDE],
    ],
  ],
  [
    'Activity - Basic',
    [
      [80, 'steps', 'count', 'sum', STEPS, 'merged'],
      [81, 'energy', 'kcal', 'sum', ENERGY, 'merged'],
      [82, 'basal_energy', 'kcal', 'sum', ENERGY, 'merged'],
      [83, 'stand_time', 'minutes', 'sum', COUNTED],
      [84, 'exercise_time', 'minutes', 'sum', COUNTED],
      [85, 'physical_effort', 'score', 'avg', MAGNITUDE],
      [86, 'flights_climbed', 'count', 'sum', FLOORS, 'merged'],
      [87, 'average_met', 'met', 'avg', MAGNITUDE],
      [88, 'active_time', 'minutes', 'sum', COUNTED],
    ],
  ],
  [
    'Activity - Distance',
    [
      [100, 'distance_walking_running', 'meters', 'sum', DISTANCE, 'merged'],
      [101, 'distance_cycling', 'meters', 'sum', DISTANCE],
      [102, 'distance_swimming', 'meters', 'sum', DISTANCE],
      [103, 'distance_downhill_snow_sports', 'meters', 'sum', DISTANCE],
      [104, 'distance_other', 'meters', 'sum', DISTANCE],
    ],
  ],
  [
    'Activity - Walking',
    [
      [120, 'walking_step_length', 'cm', 'avg', MAGNITUDE],
      [121, 'walking_speed', 'm_per_s', 'avg', SPEED],
      [122, 'walking_double_support_percentage', 'percent', 'avg', MAGNITUDE],
      [123, 'walking_asymmetry_percentage', 'percent', 'avg', MAGNITUDE],
      [124, 'walking_steadiness', 'percent', 'avg', MAGNITUDE],
      [125, 'stair_descent_speed', 'm_per_s', 'avg', SPEED],
      [126, 'stair_ascent_speed', 'm_per_s', 'avg', SPEED],
    ],
  ],
  [
    'Activity - Running',
    [
      [140, 'running_power', 'watts', 'avg', POWER],
      [141, 'running_speed', 'm_per_s', 'avg', SPEED],
      [142, 'running_vertical_oscillation', 'cm', 'avg', MAGNITUDE],
      [143, 'running_ground_contact_time', 'ms', 'avg', MAGNITUDE],
      [144, 'running_stride_length', 'cm', 'avg', MAGNITUDE],
      [145, 'running_vertical_ratio', 'percent', 'avg', MAGNITUDE],
      [146, 'running_stance_time_balance', 'percent', 'avg', MAGNITUDE],
    ],
  ],
  [
    'Activity - Swimming',
    [
      [160, 'swimming_stroke_count', 'count', 'sum', COUNTED],
      [161, 'underwater_depth', 'meters', 'max', ANY],
    ],
  ],
  [
    'Activity - Generic',
    [
      [180, 'cadence', 'rpm', 'avg', CADENCE],
      [181, 'power', 'watts', 'avg', POWER],
      [182, 'speed', 'm_per_s', 'avg', SPEED],
      [183, 'workout_effort_score', 'score', 'avg', MAGNITUDE],
      [184, 'estimated_workout_effort_score', 'score', 'avg', MAGNITUDE],
    ],
  ],
  [
    'Environmental',
    [
      [200, 'environmental_audio_exposure', 'dB', 'avg', SOUND],
      [201, 'headphone_audio_exposure', 'dB', 'avg', SOUND],
      [202, 'environmental_sound_reduction', 'dB', 'avg', SOUND],
      [203, 'time_in_daylight', 'minutes', 'sum', COUNTED],
      [204, 'water_temperature', 'celsius', 'avg', WATER_TEMPERATURE],
      [205, 'uv_exposure', 'count', 'sum', COUNTED],
      [206, 'inhaler_usage', 'count', 'sum', COUNTED, 'single_events'],
      [207, 'weather_temperature', 'celsius', 'avg', AIR_TEMPERATURE],
      [208, 'weather_humidity', 'percent', 'avg', MAGNITUDE],
      [209, 'elevation', 'meters', 'avg', ANY],
      [210, 'latitude', 'degrees', 'last', LATITUDE],
      [211, 'longitude', 'degrees', 'last', LONGITUDE],
      [212, 'air_temperature', 'celsius', 'avg', AIR_TEMPERATURE],
    ],
  ],
  [
    'Provider-Specific',
    [
      [220, 'garmin_stress_level', 'score', 'avg', MAGNITUDE],
      [221, 'garmin_skin_temperature', 'celsius', 'avg', SKIN_TEMPERATURE],
      [222, 'garmin_fitness_age', 'years', 'last', MAGNITUDE],
      [223, 'garmin_body_battery', 'percent', 'avg', MAGNITUDE],
    ],
  ],
  [
    'Other',
    [
      [500, 'electrodermal_activity', 'count', 'avg', MAGNITUDE],
      [501, 'push_count', 'count', 'sum', COUNTED],
      [502, 'atrial_fibrillation_burden', 'count', 'avg', MAGNITUDE],
      [503, 'insulin_delivery', 'count', 'sum', COUNTED, 'single_events'],
      [504, 'number_of_times_fallen', 'count', 'sum', COUNTED, 'single_events'],
      [505, 'number_of_alcoholic_beverages', 'count', 'sum', COUNTED, 'single_events'],
      [506, 'nike_fuel', 'count', 'sum', COUNTED],
      [507, 'hydration', 'mL', 'sum', HYDRATION, 'single_events'],
    ],
  ],
] as const;
