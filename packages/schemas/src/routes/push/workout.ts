import { z } from 'zod';
import { pushInstantSchema, pushItemFields } from './item.js';
import { androidPushWorkoutTypeSchema, applePushWorkoutTypeSchema } from './workout-types.js';

/** Workout statistics that are stored. */
const STATISTICS = [
  'duration',
  'totalDuration',
  'TOTAL_DURATION',
  'activeEnergyBurned',
  'calories',
  'totalEnergyBurned',
  'TOTAL_CALORIES',
  'basalEnergyBurned',
  'totalCalories',
  'distance',
  'totalDistance',
  'TOTAL_DISTANCE',
  'stepCount',
  'totalSteps',
  'minHeartRate',
  'maxHeartRate',
  'averageHeartRate',
  'meanHeartRate',
  'averageSpeed',
  'meanSpeed',
  'averageRunningSpeed',
  'maxSpeed',
  'averageRunningPower',
  'meanCadence',
  'elevationAscended',
  'altitudeGain',
  'maxAltitude',
  'minAltitude',
  'averageRunningStrideLength',
  'averageVerticalOscillation',
  'averageGroundContactTime',
  'averageMETs',
  'weatherTemperature',
  'weatherHumidity',
  'vo2Max',
  'maxCadence',
  'swimmingStrokeCount',
  'elevationDescended',
  'altitudeLoss',
  'lapLength',
  'indoorWorkout',
  'swimmingLocationType',
] as const;

const unit = z.string().nullish();

export const pushStatisticTypeSchema = z.enum(STATISTICS).meta({
  id: 'PushStatisticType',
  description:
    'Workout statistics. Default units: seconds for durations (milliseconds for TOTAL_DURATION), kcal for energy, meters for distances and heights, bpm for heart rates, m/s for speeds, watts for power, rpm for cadence, cm for averageVerticalOscillation, ms for averageGroundContactTime, °C for weatherTemperature, % for weatherHumidity, mL/kg/min for vo2Max. `indoorWorkout` is 0 or 1; `swimmingLocationType` is 1 (pool) or 2 (open water)',
});

const pushStatisticSchema = z
  .object({
    type: pushStatisticTypeSchema.meta({ description: 'Statistic; other values are ignored and counted' }),
    value: z.number().meta({ description: 'Value in `unit`' }),
    unit: unit.meta({ description: 'Unit of `value`; default: the type’s unit' }),
  })
  .meta({ id: 'PushStatistic', description: 'Statistic of a whole workout' });

const pushSegmentSchema = z
  .object({
    startDate: pushInstantSchema.meta({ description: 'Start of the segment' }),
    endDate: pushInstantSchema.meta({ description: 'End of the segment' }),
    type: z.string().nullish().meta({ description: 'Activity, such as an exercise' }),
    repetitions: z.int().min(0).nullish().meta({ description: 'Number of repetitions; 0 if not counted' }),
  })
  .meta({ id: 'PushSegment', description: 'Segment of a workout' });

const pushLapSchema = z
  .object({
    startDate: pushInstantSchema.meta({ description: 'Start of the lap' }),
    endDate: pushInstantSchema.meta({ description: 'End of the lap' }),
    distanceM: z.number().nullish().meta({ description: 'Length in meters' }),
  })
  .meta({ id: 'PushLap', description: 'Lap of a workout' });

const pushRoutePointSchema = z
  .object({
    timestamp: pushInstantSchema.meta({ description: 'Time at this point' }),
    latitude: z.number().min(-90).max(90).meta({ description: 'Degrees, WGS 84' }),
    longitude: z.number().min(-180).max(180).meta({ description: 'Degrees, WGS 84' }),
    altitudeM: z.number().nullish().meta({ description: 'Meters above sea level' }),
    horizontalAccuracyM: z.number().nullish().meta({ description: 'Meters; not stored' }),
    verticalAccuracyM: z.number().nullish().meta({ description: 'Meters; not stored' }),
  })
  .meta({ id: 'PushRoutePoint', description: 'Point of the route' });

export const pushWorkoutSampleTypeSchema = z
  .enum(['heartRate', 'cadence', 'speed', 'power'])
  .meta({ id: 'PushWorkoutSampleType', description: 'Type of a workout sample' });

const pushWorkoutSampleSchema = z
  .object({
    timestamp: pushInstantSchema.meta({ description: 'Time of the measurement' }),
    type: pushWorkoutSampleTypeSchema,
    value: z.number().meta({ description: 'The reading in `unit`' }),
    unit: unit.meta({ description: 'Unit of `value`; default: bpm, rpm, m/s or W' }),
  })
  .meta({ id: 'PushWorkoutSample', description: 'Reading during a workout' });

export const pushWorkoutSchema = z
  .object({
    ...pushItemFields,
    type: z
      .union([applePushWorkoutTypeSchema, androidPushWorkoutTypeSchema])
      .nullish()
      .meta({ description: 'Workout type. Other values become `other` and are stored in the metadata' }),
    title: z.string().nullish().meta({ description: 'Title of the workout; at most 200 characters are stored' }),
    notes: z.string().nullish().meta({ description: 'The user’s notes; at most 2000 characters are stored' }),
    values: z.array(pushStatisticSchema).nullish().meta({ description: 'Statistics of the whole workout' }),
    segments: z.array(pushSegmentSchema).nullish().meta({ description: 'Segments, stored as workout events' }),
    laps: z.array(pushLapSchema).nullish().meta({ description: 'Laps, stored as workout events' }),
    route: z.array(pushRoutePointSchema).nullish().meta({ description: 'Route, stored as series of its source' }),
    samples: z
      .array(pushWorkoutSampleSchema)
      .nullish()
      .meta({ description: 'Readings, stored as series of their source' }),
  })
  .meta({ id: 'PushWorkout', description: 'Workout' });
