/**
 * The series types, grouped by category: id, code, unit, daily rule. The order is the one that validation messages
 * list, which is not everywhere the order of the ids.
 *
 * Ids are what the database stores: never renumber, only add. Id 6 belonged to a retired series and stays unused.
 * Slowly changing facts about a body (weight, height, fitness age) keep the day's last value instead of an average that
 * nobody measured; coordinates are never averaged, because a mean of two places is a place where nobody was.
 */
export const SERIES_TABLE = [
  [
    'Heart & Cardiovascular',
    [
      [1, 'heart_rate', 'bpm', 'avg'],
      [2, 'resting_heart_rate', 'bpm', 'avg'],
      [3, 'heart_rate_variability_sdnn', 'ms', 'avg'],
      [4, 'heart_rate_recovery_one_minute', 'bpm', 'avg'],
      [5, 'walking_heart_rate_average', 'bpm', 'avg'],
      [7, 'heart_rate_variability_rmssd', 'ms', 'avg'],
    ],
  ],
  [
    'Blood & Respiratory',
    [
      [20, 'oxygen_saturation', 'percent', 'avg'],
      [21, 'blood_glucose', 'mg_dl', 'avg'],
      [22, 'blood_pressure_systolic', 'mmHg', 'avg'],
      [23, 'blood_pressure_diastolic', 'mmHg', 'avg'],
      [24, 'respiratory_rate', 'brpm', 'avg'],
      [25, 'sleeping_breathing_disturbances', 'count', 'sum'],
      [31, 'breathing_disturbance_index', 'score', 'avg'],
      [26, 'blood_alcohol_content', 'mg_dl', 'avg'],
      [27, 'peripheral_perfusion_index', 'score', 'avg'],
      [28, 'forced_vital_capacity', 'liters', 'avg'],
      [29, 'forced_expiratory_volume_1', 'liters', 'avg'],
      [30, 'peak_expiratory_flow_rate', 'L/min', 'avg'],
    ],
  ],
  [
    'Body Composition',
    [
      [40, 'height', 'cm', 'last'],
      [41, 'weight', 'kg', 'last'],
      [42, 'body_fat_percentage', 'percent', 'last'],
      [43, 'body_mass_index', 'kg_m2', 'last'],
      [44, 'lean_body_mass', 'kg', 'last'],
      [45, 'body_temperature', 'celsius', 'avg'],
      [46, 'skin_temperature', 'celsius', 'avg'],
      [50, 'skin_temperature_deviation', 'celsius', 'avg'],
      [51, 'skin_temperature_trend_deviation', 'celsius', 'avg'],
      [47, 'waist_circumference', 'cm', 'last'],
      [48, 'body_fat_mass', 'kg', 'last'],
      [49, 'skeletal_muscle_mass', 'kg', 'last'],
    ],
  ],
  [
    'Fitness Metrics',
    [
      [60, 'vo2_max', 'ml_kg_min', 'last'],
      [61, 'six_minute_walk_test_distance', 'meters', 'max'],
      [62, 'cardiovascular_age', 'years', 'last'],
    ],
  ],
  [
    'Activity - Basic',
    [
      [80, 'steps', 'count', 'sum'],
      [81, 'energy', 'kcal', 'sum'],
      [82, 'basal_energy', 'kcal', 'sum'],
      [83, 'stand_time', 'minutes', 'sum'],
      [84, 'exercise_time', 'minutes', 'sum'],
      [85, 'physical_effort', 'score', 'avg'],
      [86, 'flights_climbed', 'count', 'sum'],
      [87, 'average_met', 'met', 'avg'],
      [88, 'active_time', 'minutes', 'sum'],
    ],
  ],
  [
    'Activity - Distance',
    [
      [100, 'distance_walking_running', 'meters', 'sum'],
      [101, 'distance_cycling', 'meters', 'sum'],
      [102, 'distance_swimming', 'meters', 'sum'],
      [103, 'distance_downhill_snow_sports', 'meters', 'sum'],
      [104, 'distance_other', 'meters', 'sum'],
    ],
  ],
  [
    'Activity - Walking',
    [
      [120, 'walking_step_length', 'cm', 'avg'],
      [121, 'walking_speed', 'm_per_s', 'avg'],
      [122, 'walking_double_support_percentage', 'percent', 'avg'],
      [123, 'walking_asymmetry_percentage', 'percent', 'avg'],
      [124, 'walking_steadiness', 'percent', 'avg'],
      [125, 'stair_descent_speed', 'm_per_s', 'avg'],
      [126, 'stair_ascent_speed', 'm_per_s', 'avg'],
    ],
  ],
  [
    'Activity - Running',
    [
      [140, 'running_power', 'watts', 'avg'],
      [141, 'running_speed', 'm_per_s', 'avg'],
      [142, 'running_vertical_oscillation', 'cm', 'avg'],
      [143, 'running_ground_contact_time', 'ms', 'avg'],
      [144, 'running_stride_length', 'cm', 'avg'],
      [145, 'running_vertical_ratio', 'percent', 'avg'],
      [146, 'running_stance_time_balance', 'percent', 'avg'],
    ],
  ],
  [
    'Activity - Swimming',
    [
      [160, 'swimming_stroke_count', 'count', 'sum'],
      [161, 'underwater_depth', 'meters', 'max'],
    ],
  ],
  [
    'Activity - Generic',
    [
      [180, 'cadence', 'rpm', 'avg'],
      [181, 'power', 'watts', 'avg'],
      [182, 'speed', 'm_per_s', 'avg'],
      [183, 'workout_effort_score', 'score', 'avg'],
      [184, 'estimated_workout_effort_score', 'score', 'avg'],
    ],
  ],
  [
    'Environmental',
    [
      [200, 'environmental_audio_exposure', 'dB', 'avg'],
      [201, 'headphone_audio_exposure', 'dB', 'avg'],
      [202, 'environmental_sound_reduction', 'dB', 'avg'],
      [203, 'time_in_daylight', 'minutes', 'sum'],
      [204, 'water_temperature', 'celsius', 'avg'],
      [205, 'uv_exposure', 'count', 'sum'],
      [206, 'inhaler_usage', 'count', 'sum'],
      [207, 'weather_temperature', 'celsius', 'avg'],
      [208, 'weather_humidity', 'percent', 'avg'],
      [209, 'elevation', 'meters', 'avg'],
      [210, 'latitude', 'degrees', 'last'],
      [211, 'longitude', 'degrees', 'last'],
      [212, 'air_temperature', 'celsius', 'avg'],
    ],
  ],
  [
    'Provider-Specific',
    [
      [220, 'garmin_stress_level', 'score', 'avg'],
      [221, 'garmin_skin_temperature', 'celsius', 'avg'],
      [222, 'garmin_fitness_age', 'years', 'last'],
      [223, 'garmin_body_battery', 'percent', 'avg'],
    ],
  ],
  [
    'Other',
    [
      [500, 'electrodermal_activity', 'count', 'avg'],
      [501, 'push_count', 'count', 'sum'],
      [502, 'atrial_fibrillation_burden', 'count', 'avg'],
      [503, 'insulin_delivery', 'count', 'sum'],
      [504, 'number_of_times_fallen', 'count', 'sum'],
      [505, 'number_of_alcoholic_beverages', 'count', 'sum'],
      [506, 'nike_fuel', 'count', 'sum'],
      [507, 'hydration', 'mL', 'sum'],
    ],
  ],
] as const;
