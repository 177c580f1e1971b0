import { converter, fractionToPercent, type SeriesCode, type SeriesType, seriesTypeByCode } from '@healthd/model';

/**
 * The series of every quantity that is stored, by identifier without the prefix `HKQuantityTypeIdentifier`.
 *
 * Left out on purpose: AppleMoveTime (move time is not exercise time) and CyclingFunctionalThresholdPower (an estimate
 * of a limit, no power that was produced). Wrist temperature lies degrees below body temperature, so it is a skin
 * temperature.
 */
export const QUANTITY_SERIES: ReadonlyMap<string, SeriesCode> = new Map<string, SeriesCode>([
  ['HeartRate', 'heart_rate'],
  ['RestingHeartRate', 'resting_heart_rate'],
  ['HeartRateVariabilitySDNN', 'heart_rate_variability_sdnn'],
  ['HeartRateRecoveryOneMinute', 'heart_rate_recovery_one_minute'],
  ['WalkingHeartRateAverage', 'walking_heart_rate_average'],
  ['OxygenSaturation', 'oxygen_saturation'],
  ['BloodGlucose', 'blood_glucose'],
  ['BloodPressureSystolic', 'blood_pressure_systolic'],
  ['BloodPressureDiastolic', 'blood_pressure_diastolic'],
  ['RespiratoryRate', 'respiratory_rate'],
  ['BasalBodyTemperature', 'body_temperature'],
  ['AppleSleepingBreathingDisturbances', 'sleeping_breathing_disturbances'],
  ['BloodAlcoholContent', 'blood_alcohol_content'],
  ['PeripheralPerfusionIndex', 'peripheral_perfusion_index'],
  ['ForcedVitalCapacity', 'forced_vital_capacity'],
  ['ForcedExpiratoryVolume1', 'forced_expiratory_volume_1'],
  ['PeakExpiratoryFlowRate', 'peak_expiratory_flow_rate'],
  ['Height', 'height'],
  ['BodyMass', 'weight'],
  ['BodyFatPercentage', 'body_fat_percentage'],
  ['BodyMassIndex', 'body_mass_index'],
  ['LeanBodyMass', 'lean_body_mass'],
  ['BodyTemperature', 'body_temperature'],
  ['WaistCircumference', 'waist_circumference'],
  ['VO2Max', 'vo2_max'],
  ['SixMinuteWalkTestDistance', 'six_minute_walk_test_distance'],
  ['StepCount', 'steps'],
  ['ActiveEnergyBurned', 'energy'],
  ['BasalEnergyBurned', 'basal_energy'],
  ['AppleStandTime', 'stand_time'],
  ['AppleExerciseTime', 'exercise_time'],
  ['FlightsClimbed', 'flights_climbed'],
  ['PhysicalEffort', 'physical_effort'],
  ['DistanceWalkingRunning', 'distance_walking_running'],
  ['DistanceCycling', 'distance_cycling'],
  ['DistanceSwimming', 'distance_swimming'],
  ['DistanceDownhillSnowSports', 'distance_downhill_snow_sports'],
  ['DistanceWheelchair', 'distance_other'],
  ['DistanceCrossCountrySkiing', 'distance_other'],
  ['DistancePaddleSports', 'distance_other'],
  ['DistanceRowing', 'distance_other'],
  ['DistanceSkatingSports', 'distance_other'],
  ['WalkingStepLength', 'walking_step_length'],
  ['WalkingSpeed', 'walking_speed'],
  ['WalkingDoubleSupportPercentage', 'walking_double_support_percentage'],
  ['WalkingAsymmetryPercentage', 'walking_asymmetry_percentage'],
  ['AppleWalkingSteadiness', 'walking_steadiness'],
  ['StairDescentSpeed', 'stair_descent_speed'],
  ['StairAscentSpeed', 'stair_ascent_speed'],
  ['RunningPower', 'running_power'],
  ['RunningSpeed', 'running_speed'],
  ['RunningVerticalOscillation', 'running_vertical_oscillation'],
  ['RunningGroundContactTime', 'running_ground_contact_time'],
  ['RunningStrideLength', 'running_stride_length'],
  ['SwimmingStrokeCount', 'swimming_stroke_count'],
  ['CyclingCadence', 'cadence'],
  ['CyclingPower', 'power'],
  ['CyclingSpeed', 'speed'],
  ['EnvironmentalAudioExposure', 'environmental_audio_exposure'],
  ['HeadphoneAudioExposure', 'headphone_audio_exposure'],
  ['EnvironmentalSoundReduction', 'environmental_sound_reduction'],
  ['TimeInDaylight', 'time_in_daylight'],
  ['WaterTemperature', 'water_temperature'],
  ['UnderwaterDepth', 'underwater_depth'],
  ['NumberOfTimesFallen', 'number_of_times_fallen'],
  ['InhalerUsage', 'inhaler_usage'],
  ['NumberOfAlcoholicBeverages', 'number_of_alcoholic_beverages'],
  ['ElectrodermalActivity', 'electrodermal_activity'],
  ['UVExposure', 'uv_exposure'],
  ['PushCount', 'push_count'],
  ['AppleSleepingWristTemperature', 'skin_temperature'],
  ['AtrialFibrillationBurden', 'atrial_fibrillation_burden'],
  ['WorkoutEffortScore', 'workout_effort_score'],
  ['EstimatedWorkoutEffortScore', 'estimated_workout_effort_score'],
  ['CrossCountrySkiingSpeed', 'speed'],
  ['PaddleSportsSpeed', 'speed'],
  ['RowingSpeed', 'speed'],
  ['InsulinDelivery', 'insulin_delivery'],
  ['NikeFuel', 'nike_fuel'],
  ['DietaryWater', 'hydration'],
]);

const QUANTITY_PREFIX = 'HKQuantityTypeIdentifier';
const PERCENT_SIGN = '%';
/** Blood alcohol is exported as the fraction of blood, 0.0008 for 80 mg/dL. */
const MG_DL_PER_ALCOHOL_FRACTION = 100_000;

/** The series that an identifier such as `HKQuantityTypeIdentifierStepCount` belongs to, or undefined. */
export function quantitySeries(identifier: string): SeriesType | undefined {
  if (!identifier.startsWith(QUANTITY_PREFIX)) return undefined;
  const code = QUANTITY_SERIES.get(identifier.slice(QUANTITY_PREFIX.length));
  return code === undefined ? undefined : seriesTypeByCode(code);
}

/**
 * Turns an exported value into the unit of its series, by the unit that the record itself declares: the same series
 * comes as km or mi, kg or lb, depending on the phone. The percent sign always stands for a fraction of 0..1.
 * @returns undefined when the unit does not fit the series
 */
export function quantityConverter(series: SeriesType, unit: string): ((value: number) => number) | undefined {
  if (unit !== PERCENT_SIGN) return converter(unit, series.unit);
  if (series.code === 'blood_alcohol_content') return (fraction) => fraction * MG_DL_PER_ALCOHOL_FRACTION;
  return FRACTIONS.has(series.unit) ? fractionToPercent : undefined;
}

// Perfusion index is declared as a score and fibrillation burden as a count; both mean percent.
const FRACTIONS: ReadonlySet<string> = new Set(['percent', 'score', 'count']);
