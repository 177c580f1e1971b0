import { dayNumber, SERIES_CODES } from '@healthd/model';
import { z } from 'zod';
import { daySchema, instantSchema, uuidSchema } from '../envelope.js';
import { enumParam, intParam, userParams, uuidParam } from '../parameters.js';
import { problem } from '../problem.js';
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
  'connection',
  'run',
] as const;

const DESCRIPTION = {
  action:
    '`created`, `corrected`, `deleted`, `redated` (only the local date changed), `archived` (totals replaced the samples), `expired` (deleted because of its age), or `changed` for `summary` and `selection`. A `user` is `created` or `deleted`, a `connection` is `created`, `revoked` or `needs_attention`, and a `run` is `started`, `completed`, `failed` or `cancelled`',
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
      .enum([
        'created',
        'corrected',
        'deleted',
        'redated',
        'archived',
        'expired',
        'changed',
        'revoked',
        'needs_attention',
        'started',
        'completed',
        'failed',
        'cancelled',
      ])
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
    run_id: z.string().optional().meta({ description: 'Run that made the change, or the `run` itself' }),
    provider: z.string().optional().meta({ description: 'Provider of a `connection` or `run`' }),
    connection_id: uuidSchema.optional().meta({ description: 'ID of the `connection`' }),
    reason: z.string().optional().meta({
      description: 'Reason of `revoked` and `needs_attention`, for example `user_disconnected` or `token_expired`',
    }),
    source: z.string().optional().meta({ description: 'Source of a `run`, for example `sdk`' }),
    status: z.string().optional().meta({ description: 'Status of a `run`' }),
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

/** Words separated by commas. */
function wordsParam<const W extends readonly [string, ...string[]]>(words: W, description: string) {
  return z
    .string()
    .optional()
    .transform((text) => text?.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(words)).optional())
    .meta({ description });
}

const ordinary = {
  kinds: wordsParam(CHANGE_KINDS, 'Kinds to return, separated by commas; all kinds if omitted'),
  limit: intParam({ min: 1, max: 1_000, default: 100 }),
};

export const listChanges = defineRoute({
  id: 'listChanges',
  method: 'GET',
  path: '/api/v1/changes',
  tag: 'Changes',
  summary: 'Read the feed of all changes',
  description:
    'Returns changes of all users in one order. Every committed change appears at least once, and a change that was rolled back never appears. Returns 410 if the cursor is older than FEED_RETENTION_DAYS or the service was restored from a backup: copy the data again. Returns 409 if FEED is off, and 429 if the credentials already have 50 waiting requests. A page can be empty although `has_more` is true.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'change', action: 'read' },
  status: 200,
  errors: [404, 409, 410, 429],
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
    after: z.string().optional().meta({
      description: '`cursor` of the previous page. Omit it to begin with the first stored change of the order',
    }),
    ...ordinary,
    sort_order: enumParam(['asc', 'desc'], 'asc').describe('`desc` returns the newest change first'),
  }),
  response: changePageSchema,
});

/** Kinds of rows in snapshots and digests. */
export const ROW_KINDS = ['samples', 'sleep', 'workout', 'menstrual_cycle', 'health_score'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

const dayParam = z
  .string()
  .meta({ format: 'date' })
  .transform((text, context) =>
    dayNumber(text) === undefined
      ? problem(context, 'value_error', 'Value error, a date must have the form YYYY-MM-DD')
      : text,
  );

export const exportSnapshot = defineRoute({
  id: 'exportSnapshot',
  method: 'GET',
  path: '/api/v1/users/{user_id}/export/snapshot',
  tag: 'Changes',
  summary: 'Copy the data of a user',
  description:
    'Returns newline-delimited JSON: the position in the feed, the key of the user’s digests, the sources, all rows, and a last line with the number of rows. A response without the last line is incomplete. docs/feed.md describes the lines. Returns 409 if FEED is off, and 429 if the credentials already read a snapshot of this user.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'health_data', action: 'export' },
  status: 200,
  produces: 'application/x-ndjson',
  errors: [404, 409, 429],
  params: userParams,
  query: z.object({
    from: dayParam.optional().meta({ description: 'First local date; all dates if omitted' }),
    to: dayParam.optional().meta({ description: 'Last local date, included' }),
    kinds: wordsParam(ROW_KINDS, 'Kinds of rows to return, separated by commas; all kinds if omitted'),
    types: wordsParam(
      SERIES_CODES as [string, ...string[]],
      'Series types of samples to return, separated by commas; all types if omitted',
    ),
  }),
});

const digestItemSchema = z
  .object({
    day: daySchema.meta({ description: 'Local date of the rows' }),
    kind: z.enum(ROW_KINDS).meta({ description: 'Kind of the rows' }),
    type: z.string().nullable().meta({ description: 'Series type of `samples`; null for other kinds' }),
    provider: z.string().meta({ description: 'Provider of the rows’ sources' }),
    state: z.enum(['current', 'archived', 'expired']).meta({
      description:
        '`archived` or `expired` if the service deleted samples of the day because of their age. Do not compare such days',
    }),
    rows: z.int().nullable().meta({ description: 'Number of rows; null unless `state` is `current`' }),
    digest: z.string().nullable().meta({
      description: 'HMAC-SHA-256 of the rows in canonical form, in hex; null unless `state` is `current`',
    }),
  })
  .meta({ id: 'DigestItem' });
export type DigestItem = z.infer<typeof digestItemSchema>;

export const userDigestSchema = z
  .object({
    user_id: uuidSchema,
    position: z.int().meta({ description: 'Position of the newest change that the digests include' }),
    key_id: z.string().meta({ description: 'Identifies the key. The key itself is in the snapshot' }),
    stored: z
      .object({
        from: daySchema.meta({ description: 'First local date with data' }),
        to: daySchema.meta({ description: 'Last local date with data' }),
      })
      .nullable()
      .meta({ description: 'All dates with data; null if there is none' }),
    expired: z
      .array(
        z.object({
          type: z.string().meta({ description: 'Series type' }),
          before: daySchema.meta({ description: 'Samples of earlier local dates were deleted because of their age' }),
        }),
      )
      .meta({ description: 'Series with deleted old samples. Do not compare their earlier days' }),
    items: z.array(digestItemSchema),
  })
  .meta({ id: 'UserDigest' });
export type UserDigest = z.infer<typeof userDigestSchema>;

/** Maximum number of days of one digest request. */
export const MAX_DIGEST_DAYS = 366;

export const getDigest = defineRoute({
  id: 'getDigest',
  method: 'GET',
  path: '/api/v1/users/{user_id}/digest',
  tag: 'Changes',
  summary: 'Get digests of a user’s data',
  description:
    'Returns one digest per local day, kind, series type and provider, with which you check that your copy equals the stored data. docs/feed.md describes the digests. Returns 409 if FEED is off, and 429 if the credentials already request digests of this user or four digests are being computed.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'health_data', action: 'read' },
  status: 200,
  errors: [404, 409, 429],
  params: userParams,
  query: z.object({
    from: dayParam.meta({ description: 'First local date' }),
    to: dayParam.meta({ description: `Last local date, included. At most ${MAX_DIGEST_DAYS} days` }),
  }),
  response: userDigestSchema,
});
