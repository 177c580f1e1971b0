import { z } from 'zod';
import { attributionSchema, instantSchema, sourceMetadataSchema, withheldSchema } from '../../envelope.js';
import { intParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';

export const bloodPressureSchema = z
  .object({
    avg_systolic_mmhg: z.int(),
    avg_diastolic_mmhg: z.int(),
    max_systolic_mmhg: z
      .int()
      .nullable()
      .meta({ description: 'Highest systolic pressure in mmHg; null for a single reading, like all extremes' }),
    max_diastolic_mmhg: z.int().nullable(),
    min_systolic_mmhg: z.int().nullable(),
    min_diastolic_mmhg: z.int().nullable(),
    reading_count: z.int(),
  })
  .meta({ id: 'BloodPressure' });
export type BloodPressure = z.infer<typeof bloodPressureSchema>;

const figureSource = (figure: string) =>
  sourceMetadataSchema.nullable().meta({ description: `Source of the ${figure}; null if there is no data` });
const averageSource = (figure: string) =>
  sourceMetadataSchema.nullable().meta({
    description: `Source of the ${figure} on the newest date of the average; other dates may have other sources`,
  });

export const bodySummarySchema = z
  .object({
    source: sourceMetadataSchema.meta({ description: 'Source of the newest slowly changing value' }),
    sources: z
      .object({
        weight: figureSource('weight'),
        height: figureSource('height'),
        body_fat: figureSource('body fat'),
        muscle_mass: figureSource('lean body mass'),
        skeletal_muscle_mass: figureSource('skeletal muscle mass'),
        bmi: figureSource('BMI; for a computed BMI, the source of the weight'),
        resting_heart_rate: averageSource('resting heart rate'),
        hrv_sdnn: averageSource('SDNN'),
        hrv_rmssd: averageSource('RMSSD'),
        body_temperature: figureSource('body temperature'),
        skin_temperature: figureSource('skin temperature'),
        blood_pressure: figureSource('blood pressure'),
      })
      .meta({ description: 'Source of each figure' }),
    slow_changing: z.object({
      weight_kg: z.number().nullable(),
      height_cm: z.number().nullable(),
      body_fat_percent: z.number().nullable(),
      muscle_mass_kg: z.number().nullable().meta({ description: 'Lean body mass in kg' }),
      skeletal_muscle_mass_kg: z.number().nullable(),
      bmi: z.number().nullable().meta({
        description:
          'BMI in kg/m²: the measured value, unless the weight is newer; then computed from weight and height',
      }),
      age: z.int().nullable(),
    }),
    averaged: z.object({
      period_days: z.int(),
      resting_heart_rate_bpm: z.int().nullable(),
      avg_hrv_sdnn_ms: z.number().nullable(),
      avg_hrv_rmssd_ms: z.number().nullable(),
      period_start: instantSchema,
      period_end: instantSchema,
    }),
    latest: z.object({
      body_temperature_celsius: z.number().nullable(),
      body_temperature_measured_at: instantSchema.nullable(),
      skin_temperature_celsius: z.number().nullable(),
      skin_temperature_measured_at: instantSchema.nullable(),
      blood_pressure: bloodPressureSchema.nullable(),
      blood_pressure_measured_at: instantSchema.nullable(),
    }),
    withheld: withheldSchema,
    attribution: attributionSchema,
  })
  .meta({ id: 'BodySummary' });
export type BodySummary = z.infer<typeof bodySummarySchema>;

export const bodyParams = z.object({
  average_period: intParam({ min: 1, max: 7, default: 7 }).meta({ description: 'Days' }),
  latest_window_hours: intParam({ min: 1, max: 24, default: 4 }),
});

export const getBodySummary = defineRoute({
  id: 'getBodySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/body',
  tag: 'Summaries',
  summary: 'Get the current body values',
  description:
    'Slowly changing values are the newest ones of any age. Averages are means of the recovery summary’s values over the period. Latest values are from the last hours; systolic and diastolic pressure form a reading if one source measured both within five seconds. Returns JSON `null` without data.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'body_summary', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: bodyParams,
  response: bodySummarySchema.nullable(),
});
