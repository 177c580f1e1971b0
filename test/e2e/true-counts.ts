import type { SeriesCode } from '@healthd/model';
import type { ExportTruth } from '@healthd/simulators';

const OUTDOORS: readonly string[] = ['running', 'cycling', 'walking'];

/** Identifiers of the generated records without their prefix, and their expected series. */
const SERIES: Readonly<Record<string, SeriesCode>> = {
  ActiveEnergyBurned: 'energy',
  AppleExerciseTime: 'exercise_time',
  AppleSleepingWristTemperature: 'skin_temperature',
  AppleStandTime: 'stand_time',
  BasalEnergyBurned: 'basal_energy',
  BloodPressureDiastolic: 'blood_pressure_diastolic',
  BloodPressureSystolic: 'blood_pressure_systolic',
  BodyFatPercentage: 'body_fat_percentage',
  BodyMass: 'weight',
  DietaryWater: 'hydration',
  DistanceWalkingRunning: 'distance_walking_running',
  EnvironmentalAudioExposure: 'environmental_audio_exposure',
  FlightsClimbed: 'flights_climbed',
  HeartRate: 'heart_rate',
  HeartRateVariabilitySDNN: 'heart_rate_variability_sdnn',
  Height: 'height',
  OxygenSaturation: 'oxygen_saturation',
  RespiratoryRate: 'respiratory_rate',
  RestingHeartRate: 'resting_heart_rate',
  StepCount: 'steps',
  TimeInDaylight: 'time_in_daylight',
  VO2Max: 'vo2_max',
  WalkingAsymmetryPercentage: 'walking_asymmetry_percentage',
  WalkingHeartRateAverage: 'walking_heart_rate_average',
  WalkingSpeed: 'walking_speed',
  WalkingStepLength: 'walking_step_length',
};

/** Counts an export's samples per series: its records, and single-value figures in workouts. */
export function trueSeriesCounts(truth: ExportTruth): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (series: SeriesCode, count: number) => {
    if (count > 0) counts[series] = (counts[series] ?? 0) + count;
  };
  for (const [identifier, count] of Object.entries(truth.recordCounts)) {
    const series = SERIES[identifier.replace('HKQuantityTypeIdentifier', '')];
    if (series !== undefined) add(series, count);
  }
  const outdoors = truth.workouts.filter(({ type }) => OUTDOORS.includes(type)).length;
  add('average_met', truth.workouts.length);
  add('weather_temperature', outdoors);
  add('weather_humidity', outdoors);
  return counts;
}
