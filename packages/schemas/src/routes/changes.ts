import { z } from 'zod';
import { daySchema, instantSchema, uuidSchema } from '../envelope.js';
import { intParam, userParams, uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';

/** Kinds of changes in the feed. */
export const CHANGE_KINDS = [
  'samples',
  'sleep',
  'workout',
  'menstrual_cycle',
  'health_score',
  'summary',
  'selection',
  'user',
] as const;

const DESCRIPTION = {
  action:
    '`created`, `corrected`, `deleted`, `redated` (only the local date changed), `archived` (totals replaced the samples), `expired` (deleted because of its age), or `changed` for `summary` and `selection`',
  days: 'Local dates of the changed data, both ends included, oldest first. For a changed date also the former date',
};

/** An entry of the feed. It contains no health values. */
export const changeSchema = z
  .object({
    position: z.int().nullable().meta({
      description: 'Number of the change among all changes of the user’s data, without gaps; null for other events',
    }),
    user_id: uuidSchema.nullable().meta({ description: 'Null for events of the service' }),
    at: instantSchema.meta({ description: 'Time of the change' }),
    kind: z.enum(CHANGE_KINDS).meta({ description: 'What changed' }),
    action: z
      .enum(['created', 'corrected', 'deleted', 'redated', 'archived', 'expired', 'changed'])
      .meta({ description: DESCRIPTION.action }),
    cause: z
      .enum(['person', 'vendor', 'replaced', 'retention', 'terms', 'priorities', 'settings'])
      .optional()
      .meta({ description: 'Reason of a deletion or of a changed selection' }),
    type: z.string().optional().meta({ description: 'Series type of `samples`' }),
    summary: z
      .enum(['activity', 'sleep', 'recovery', 'body'])
      .optional()
      .meta({ description: 'Summary that may have changed; read its days again' }),
    days: z
      .array(
        z.object({
          from: daySchema.meta({ description: 'First local date' }),
          to: daySchema.meta({ description: 'Last local date' }),
        }),
      )
      .optional()
      .meta({ description: DESCRIPTION.days }),
    ids: z.array(uuidSchema).optional().meta({ description: 'IDs of sessions and scores' }),
    origin: z
      .enum(['live', 'historical', 'import', 'push', 'correction'])
      .optional()
      .meta({ description: 'How the data arrived; `correction` for changes that the service made itself' }),
    run_id: z.string().optional().meta({ description: 'Run that made the change' }),
  })
  .meta({ id: 'Change' });
export type Change = z.infer<typeof changeSchema>;

export const changePageSchema = z
  .object({
    items: z.array(changeSchema),
    cursor: z.string().meta({ description: 'Continues after this page. Store it with the data that you copied' }),
    has_more: z.boolean().meta({ description: 'True if more changes are stored after this page' }),
  })
  .meta({ id: 'ChangePage' });
export type ChangePageResponse = z.infer<typeof changePageSchema>;

const kindsParam = z
  .string()
  .optional()
  .transform((text) => text?.split(',').map((kind) => kind.trim()))
  .pipe(z.array(z.enum(CHANGE_KINDS)).optional())
  .meta({ description: 'Kinds to return, separated by commas; all kinds if omitted' });

const ordinary = {
  kinds: kindsParam,
  limit: intParam({ min: 1, max: 1_000, default: 100 }),
};

export const listChanges = defineRoute({
  id: 'listChanges',
  method: 'GET',
  path: '/api/v1/changes',
  tag: 'Changes',
  summary: 'Read the feed of all changes',
  description:
    'Returns changes of all users in one order. Every committed change appears at least once, and a change that was rolled back never appears. Returns 410 if the cursor is older than FEED_RETENTION_DAYS or the service was restored from a backup: copy the data again. Returns 409 if FEED is off.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'change', action: 'read' },
  status: 200,
  errors: [404, 409, 410],
  query: z.object({
    cursor: z
      .string()
      .optional()
      .meta({ description: '`cursor` of the previous page. Omit it to begin with the oldest stored change' }),
    user_id: uuidParam.optional().meta({ description: 'Returns only changes of this user' }),
    ...ordinary,
    wait: intParam({ min: 0, max: 30, default: 0 }).meta({
      description: 'Seconds to wait for a change if there is none after the cursor',
    }),
  }),
  response: changePageSchema,
});

export const listUserChanges = defineRoute({
  id: 'listUserChanges',
  method: 'GET',
  path: '/api/v1/users/{user_id}/changes',
  tag: 'Changes',
  summary: 'Read the changes of a user’s data',
  description:
    'Returns the changes in order of `position`. Returns 410 if the changes after the cursor are no longer stored, and 409 if FEED is off.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'change', action: 'read' },
  status: 200,
  errors: [404, 409, 410],
  params: userParams,
  query: z.object({
    after: z
      .string()
      .optional()
      .meta({ description: '`cursor` of the previous page. Omit it to begin with the oldest stored change' }),
    ...ordinary,
  }),
  response: changePageSchema,
});
