import { z } from 'zod';
import { pushInstantSchema, pushItemFields } from './item.js';
import { androidPushWorkoutTypeSchema, applePushWorkoutTypeSchema } from './workout-types.js';

/** Figures of a workout that are read. */
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
    'Figures of a workout. Without a unit durations are seconds (TOTAL_DURATION milliseconds), energy kcal, distances and ' +
    'heights metres, heart rates bpm, speeds m/s, power watts, cadence rpm, averageVerticalOscillation cm, ' +
    'averageGroundContactTime ms, weatherTemperature °C, weatherHumidity %, vo2Max mL/kg/min. `indoorWorkout` is 0 or 1, ' +
    '`swimmingLocationType` 1 (pool) or 2 (open water)',
});

const pushStatisticSchema = z
  .object({
    type: pushStatisticTypeSchema.meta({ description: 'What the figure is; any other word is ignored and counted' }),
    value: z.number().meta({ description: 'The figure in `unit`' }),
    unit: unit.meta({ description: 'Unit of `value`; without one that of the type' }),
  })
  .meta({ id: 'PushStatistic', description: 'One figure of a whole workout' });

const pushSegmentSchema = z
  .object({
    startDate: pushInstantSchema.meta({ description: 'Start of the segment' }),
    endDate: pushInstantSchema.meta({ description: 'End of the segment' }),
    type: z.string().nullish().meta({ description: 'What was done, such as an exercise' }),
    repetitions: z.int().min(0).nullish().meta({ description: 'How often; 0 where that is not counted' }),
  })
  .meta({ id: 'PushSegment', description: 'A part of a workout' });

const pushLapSchema = z
  .object({
    startDate: pushInstantSchema.meta({ description: 'Start of the lap' }),
    endDate: pushInstantSchema.meta({ description: 'End of the lap' }),
    distanceM: z.number().nullish().meta({ description: 'Length in metres' }),
  })
  .meta({ id: 'PushLap', description: 'A lap of a workout' });

const pushRoutePointSchema = z
  .object({
    timestamp: pushInstantSchema.meta({ description: 'When the person was there' }),
    latitude: z.number().min(-90).max(90).meta({ description: 'Degrees, WGS 84' }),
    longitude: z.number().min(-180).max(180).meta({ description: 'Degrees, WGS 84' }),
    altitudeM: z.number().nullish().meta({ description: 'Metres above sea level' }),
    horizontalAccuracyM: z.number().nullish().meta({ description: 'Metres; not stored' }),
    verticalAccuracyM: z.number().nullish().meta({ description: 'Metres; not stored' }),
  })
  .meta({ id: 'PushRoutePoint', description: 'A point of the way' });

export const pushWorkoutSampleTypeSchema = z
  .enum(['heartRate', 'cadence', 'speed', 'power'])
  .meta({ id: 'PushWorkoutSampleType', description: 'What is measured within workouts' });

const pushWorkoutSampleSchema = z
  .object({
    timestamp: pushInstantSchema.meta({ description: 'When it was measured' }),
    type: pushWorkoutSampleTypeSchema,
    value: z.number().meta({ description: 'The reading in `unit`' }),
    unit: unit.meta({ description: 'Unit of `value`; without one bpm, rpm, m/s or W' }),
  })
  .meta({ id: 'PushWorkoutSample', description: 'A reading within a workout' });

export const pushWorkoutSchema = z
  .object({
    ...pushItemFields,
    type: z
      .union([applePushWorkoutTypeSchema, androidPushWorkoutTypeSchema])
      .nullish()
      .meta({ description: 'What was done. Any other word becomes `other` and is stored in the metadata' }),
    title: z.string().nullish().meta({ description: 'Name of the workout; at most 200 characters are stored' }),
    notes: z.string().nullish().meta({ description: 'Notes of the person; at most 2000 characters are stored' }),
    values: z.array(pushStatisticSchema).nullish().meta({ description: 'Figures of the whole workout' }),
    segments: z.array(pushSegmentSchema).nullish().meta({ description: 'Parts, stored as events of the workout' }),
    laps: z.array(pushLapSchema).nullish().meta({ description: 'Laps, stored as events of the workout' }),
    route: z.array(pushRoutePointSchema).nullish().meta({ description: 'The way, stored as series of its source' }),
    samples: z
      .array(pushWorkoutSampleSchema)
      .nullish()
      .meta({ description: 'Readings, stored as series of its source' }),
  })
  .meta({ id: 'PushWorkout', description: 'One workout' });
