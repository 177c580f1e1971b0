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

/** Why a source did not win a group of figures. */
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
      'The rule that put the source behind the winner. `no_lead_figure`: it lacks the figure that decides. `too_little`: it ' +
      'measured too little. `lower_class`: the winner is a wearable or a cloud, and this is a phone, a scale or an app. ' +
      '`other_provider_leads`: the winner belongs to the provider of the lead group. `smaller_value` and `identity_order` ' +
      'decide between sources of equal priority. `older_reading` and `profile_value` are of the body, where the ' +
      'newest measured value counts. `archived`: the night keeps the source that it had when its samples were archived. `terms`: terms of its vendor withhold ' +
      'it, so that its values are null',
  });
export type LossReason = z.infer<typeof lossReasonSchema>;

const figuresSchema = z.record(z.string(), z.union([z.number(), z.string()]).nullable());

/** One group of figures of a summary: every source that has some of it, and the one that the summary shows. */
export const groupExplanationSchema = z
  .object({
    group: z.string().meta({ description: 'Name of the group, as in `sources` of the summary’s row' }),
    lead_figure: z.string().meta({ description: 'The figure by which sources are compared' }),
    unit: z.string().meta({ description: 'Unit of `value`' }),
    winner: uuidSchema.nullable().meta({ description: 'Id of the source that the summary shows; null without one' }),
    source: sourceMetadataSchema.nullable().meta({ description: 'The source that the summary shows' }),
    figures: figuresSchema.meta({
      description: 'What the summary shows, by path in its row, for example `heart_rate.avg_bpm`',
    }),
    merged_figures: figuresSchema.optional().meta({
      description: 'What the summary shows with `merge=interval`; only of activity with `merge=source`, if it differs',
    }),
    candidates: z
      .array(
        z.object({
          source_id: uuidSchema,
          source: sourceMetadataSchema,
          rank: z.int().meta({ description: 'Place of the source, from 1' }),
          value: z
            .number()
            .nullable()
            .meta({ description: 'Its lead figure, in `unit`; null if it has none or must not be shown' }),
          measured_at: instantSchema
            .nullable()
            .meta({ description: 'Time of the reading; only for figures of the body' }),
          provider_priority: z.int(),
          device_type_priority: z.int(),
          lost_by: lossReasonSchema.nullable().meta({ description: 'Null for the winner' }),
          minutes_missed: z.int().optional().meta({
            description: 'Of sleep: minutes that this source recorded while the winner recorded nothing',
          }),
          figures: figuresSchema.meta({
            description: 'What the summary would show if this source had won the group',
          }),
        }),
      )
      .meta({ description: 'All sources with a figure of the group, the best first' }),
    days: z
      .array(
        z.object({
          date: daySchema,
          value: z.number(),
          source: sourceMetadataSchema.nullable().meta({ description: 'Source of the value, as recovery shows it' }),
        }),
      )
      .optional()
      .meta({ description: 'For averages of the body: the values of recovery that are averaged' }),
  })
  .meta({ id: 'GroupExplanation' });
export type GroupExplanation = z.infer<typeof groupExplanationSchema>;

export const mayChangeSchema = z.boolean().meta({
  description: 'True for today and yesterday of the user: data that arrives late may change the winners',
});

const reasonSchema = z
  .enum(['only_source', 'provider_priority', 'device_type_priority', 'coverage', 'source_id', 'lead_metric'])
  .meta({
    deprecated: true,
    description:
      'Use `lost_by`. What distinguished it from the best other source (of the best one) or from the best source (of the others). `lead_metric`: ' +
      'it lacks the metric that decides for the family',
  });

const candidateSchema = z.object({
  source_id: uuidSchema,
  source: sourceMetadataSchema,
  sample_count: z.int(),
  sample_sum: z.number().nullable(),
  daily_total: z
    .number()
    .nullable()
    .meta({ description: 'The source’s own total of the day, in the unit of the metric; it wins over samples' }),
  covered_minutes: z.int().meta({ description: 'Minutes of the day that its samples of this metric touch' }),
  provider_priority: z.int(),
  device_type_priority: z.int(),
  best: z.boolean().meta({ description: 'Whether it ranks before all others' }),
  lost_by: lossReasonSchema.nullable().meta({ description: 'Null for the winner' }),
  reason: reasonSchema,
  amount: z.number().meta({ description: 'What it gave to `value`, in the unit of the metric' }),
});

const rangeSchema = z.object({
  source_id: uuidSchema,
  start: instantSchema,
  end: instantSchema.meta({ description: 'Equal to `start` for a value without an interval' }),
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
          .meta({ description: 'In `unit`, as the summary of the day shows it; null when the chosen source lacks it' }),
        provider: z.string().meta({ description: 'Chosen for the family of this metric' }),
        decided_by: z.string().meta({
          deprecated: true,
          description: 'The lead figure of the group: only sources that have it compete',
        }),
        from_daily_total: z.boolean(),
        archived: z.boolean().meta({
          description:
            'Whether samples of the day were archived: their amounts are in `candidates` and not in `ranges`',
        }),
        candidates: z
          .array(candidateSchema)
          .meta({ description: 'Sources that must not be shown are only in `groups`' }),
        ranges: z.array(rangeSchema).meta({
          description:
            'Which source gave which part, neighbouring stretches of one source joined; empty for a total of the day',
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
  summary: 'Explain the activity of one day',
  description:
    'Lists the sources of each group of figures, their values and ranks, the winner, and the rule that put each other source ' +
    'behind it. For steps, distance, floors and energy it also says which source gave which part of the sum. Metrics ' +
    'without a measurement are left out.',
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
