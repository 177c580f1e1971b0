import { z } from 'zod';
import {
  attributionSchema,
  daySchema,
  instantSchema,
  sourceMetadataSchema,
  uuidSchema,
  withheldSchema,
} from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { activityMergeParam, activityMergeSchema } from './activity.js';
import { momentParam } from './moment.js';

/** Reason why a source lost a group of figures. */
export const lossReasonSchema = z
  .enum([
    'no_lead_figure',
    'too_little',
    'lower_class',
    'other_provider_leads',
    'lower_provider_priority',
    'lower_device_priority',
    'smaller_value',
    'identity_order',
    'older_reading',
    'profile_value',
    'archived',
    'terms',
  ])
  .meta({
    description:
      'Rule that ranked the source behind the winner. `no_lead_figure`: it lacks the lead figure. `too_little`: it measured too little. `lower_class`: the winner is a wearable or a cloud, and this source is a phone, a scale or an app. `other_provider_leads`: the winner belongs to the lead group’s provider. `smaller_value` and `identity_order` decide between equal priorities. `older_reading` and `profile_value` apply to body values, where the newest measurement wins. `archived`: the night keeps the source from before it was archived. `terms`: the vendor’s terms withhold it, so its values are null',
  });
export type LossReason = z.infer<typeof lossReasonSchema>;

const figuresSchema = z.record(z.string(), z.union([z.number(), z.string()]).nullable());

/** Group of figures in a summary, with every candidate source and the winner. */
export const groupExplanationSchema = z
  .object({
    group: z.string().meta({ description: 'Group name, as in the summary row’s `sources`' }),
    lead_figure: z.string().meta({ description: 'Figure that decides between sources' }),
    unit: z.string().meta({ description: 'Unit of `value`' }),
    winner: uuidSchema.nullable().meta({ description: 'ID of the winning source; null if there is none' }),
    source: sourceMetadataSchema.nullable().meta({ description: 'Winning source' }),
    figures: figuresSchema.meta({
      description: 'Figures in the summary by their path in its row, for example `heart_rate.avg_bpm`',
    }),
    merged_figures: figuresSchema.optional().meta({
      description:
        'Figures in the summary with `merge=interval`. Present only for activity with `merge=source`, if they differ',
    }),
    candidates: z
      .array(
        z.object({
          source_id: uuidSchema,
          source: sourceMetadataSchema,
          rank: z.int().meta({ description: 'Rank of the source, from 1' }),
          value: z
            .number()
            .nullable()
            .meta({ description: 'The source’s lead figure, in `unit`; null if it is missing or must not be shown' }),
          measured_at: instantSchema.nullable().meta({ description: 'Time of the reading; only for body values' }),
          provider_priority: z.int(),
          device_type_priority: z.int(),
          lost_by: lossReasonSchema.nullable().meta({ description: 'Null for the winner' }),
          minutes_missed: z.int().optional().meta({
            description: 'For sleep: minutes that this source recorded while the winner recorded nothing',
          }),
          figures: figuresSchema.meta({
            description: 'Figures in the summary if this source had won the group',
          }),
        }),
      )
      .meta({ description: 'All sources with a figure of the group, best first' }),
    days: z
      .array(
        z.object({
          date: daySchema,
          value: z.number(),
          source: sourceMetadataSchema
            .nullable()
            .meta({ description: 'Source of the value, as in the recovery summary' }),
        }),
      )
      .optional()
      .meta({ description: 'For body averages: the recovery values in the average' }),
  })
  .meta({ id: 'GroupExplanation' });
export type GroupExplanation = z.infer<typeof groupExplanationSchema>;

export const mayChangeSchema = z.boolean().meta({
  description: 'True for the user’s today and yesterday: late data may change the winners',
});

const candidateSchema = z.object({
  source_id: uuidSchema,
  source: sourceMetadataSchema,
  sample_count: z.int().nullable().meta({ description: 'Null if the source must not be shown' }),
  sample_sum: z.number().nullable(),
  daily_total: z
    .number()
    .nullable()
    .meta({ description: 'The source’s own daily total, in the metric’s unit; it overrides samples' }),
  covered_minutes: z.int().nullable().meta({
    description: 'Minutes of the day covered by its samples of this metric; null if the source must not be shown',
  }),
  provider_priority: z.int(),
  device_type_priority: z.int(),
  best: z.boolean().meta({ description: 'True for the top-ranked source' }),
  lost_by: lossReasonSchema.nullable().meta({ description: 'Null for the winner' }),
  amount: z.number().nullable().meta({
    description: 'Part of `value` from this source, in the metric’s unit; null if the source must not be shown',
  }),
});

const rangeSchema = z.object({
  source_id: uuidSchema,
  start: instantSchema,
  end: instantSchema.meta({ description: 'End; equal to `start` for values without an interval' }),
  amount: z.number(),
});

export const activityExplanationSchema = z
  .object({
    date: daySchema,
    merge: activityMergeSchema,
    may_change: mayChangeSchema,
    groups: z.array(groupExplanationSchema).meta({ description: 'Groups of figures in the order of `sources`' }),
    metrics: z.array(
      z.object({
        type: z.string(),
        unit: z.string(),
        value: z
          .number()
          .nullable()
          .meta({ description: 'Value of the daily summary, in `unit`; null if the selected source lacks the metric' }),
        provider: z.string().meta({ description: 'Provider selected for this metric’s family' }),
        from_daily_total: z.boolean(),
        archived: z.boolean().meta({
          description:
            'True if samples of the day are archived; `candidates` then includes their amounts, `ranges` does not',
        }),
        candidates: z.array(candidateSchema).meta({
          description:
            'Sources with values for the metric, best first. A source that vendor terms withhold has no amounts; if it lost, `lost_by` is `terms`',
        }),
        ranges: z.array(rangeSchema).meta({
          description:
            'Source of each part of the day, with adjacent parts of one source joined; empty for a daily total',
        }),
      }),
    ),
    withheld: withheldSchema,
    attribution: attributionSchema,
  })
  .meta({ id: 'ActivityExplanation' });
export type ActivityExplanation = z.infer<typeof activityExplanationSchema>;

export const explainActivitySummary = defineRoute({
  id: 'explainActivitySummary',
  method: 'GET',
  path: '/api/v1/users/{user_id}/summaries/activity/explain',
  tag: 'Summaries',
  summary: 'Explain a day’s activity',
  description:
    'Lists every candidate source of each group of figures with its values and rank, the winner, and the rule that ranked the others behind it. For steps, distance, floors and energy, also lists the source of each part of the sum. Omits metrics without data.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'activity_summary', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({ date: momentParam, merge: activityMergeParam }),
  response: activityExplanationSchema,
});
