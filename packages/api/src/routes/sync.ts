import { PROVIDER_IDS } from '@healthd/model';
import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { intParam, userParams, uuidParam } from '../parameters.js';
import { problem } from '../problem.js';
import { defineRoute } from '../route.js';

/** How data came in. */
export const SYNC_SOURCES = ['pull', 'webhook', 'sdk', 'backfill', 'xml_import', 'linked_account'] as const;
export type SyncSource = (typeof SYNC_SOURCES)[number];

/** Where a run is; the last three are final. */
export const SYNC_STAGES = [
  'queued',
  'started',
  'fetching',
  'processing',
  'saving',
  'completed',
  'failed',
  'cancelled',
] as const;
export type SyncStage = (typeof SYNC_STAGES)[number];

/** How a run stands or ended. */
export const SYNC_STATUSES = ['in_progress', 'success', 'partial', 'failed', 'cancelled', 'skipped'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

const runFields = {
  run_id: z.string(),
  user_id: uuidSchema,
  provider: z.string(),
  source: z.enum(SYNC_SOURCES),
  stage: z.enum(SYNC_STAGES),
  status: z.enum(SYNC_STATUSES),
  message: z.string().nullable(),
  progress: z.number().min(0).max(1).nullable(),
  items_processed: z.int().min(0).nullable(),
  items_total: z.int().min(0).nullable(),
  error: z.string().nullable(),
  primary_user_id: uuidSchema.nullable(),
  started_at: instantSchema.nullable(),
  ended_at: instantSchema.nullable(),
};
const metadataSchema = z.record(z.string(), z.unknown());

/** One step of a run, as the event list and the event stream tell it. */
export const syncStatusEventSchema = z
  .object({ event_id: uuidSchema, ...runFields, metadata: metadataSchema, timestamp: instantSchema })
  .meta({ id: 'SyncStatusEvent' });
export type SyncStatusEvent = z.infer<typeof syncStatusEventSchema>;

/** How one run stands now. */
export const syncRunSummarySchema = z
  .object({ ...runFields, last_update: instantSchema })
  .meta({ id: 'SyncRunSummary' });
export type SyncRunSummary = z.infer<typeof syncRunSummarySchema>;

/** One run with what it was given and what it reports. */
export const syncRunSchema = z
  .object({ ...runFields, last_update: instantSchema, metadata: metadataSchema })
  .meta({ id: 'SyncRun' });
export type SyncRun = z.infer<typeof syncRunSchema>;

/** One of some words in a query; absent is undefined. */
function wordParam<const W extends readonly string[]>(words: W) {
  return z.enum(words).optional();
}

const RUN_ID = /^[\w.:-]{1,128}$/;
const runIdParam = z.string().transform((text, context) => {
  if (RUN_ID.test(text)) return text;
  return problem(context, 'string_pattern_mismatch', `String should match pattern '${RUN_ID.source}'`, {
    pattern: RUN_ID.source,
  });
});

export const listUserSyncRuns = defineRoute({
  id: 'listUserSyncRuns',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/runs',
  tag: 'Sync status',
  summary: 'Runs of a user, newest first',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  params: userParams,
  query: z.object({ limit: intParam({ min: 1, max: 200, default: 20 }) }),
  status: 200,
  response: z.array(syncRunSummarySchema),
  errors: [404],
});

export const listRecentSyncEvents = defineRoute({
  id: 'listRecentSyncEvents',
  method: 'GET',
  path: '/api/v1/users/{user_id}/sync/recent',
  tag: 'Sync status',
  summary: 'Latest steps of all runs of a user, newest first',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  params: userParams,
  query: z.object({ limit: intParam({ min: 1, max: 200, default: 50 }) }),
  status: 200,
  response: z.array(syncStatusEventSchema),
  errors: [404],
});

export const listSyncRuns = defineRoute({
  id: 'listSyncRuns',
  method: 'GET',
  path: '/api/v1/sync/runs',
  tag: 'Sync status',
  summary: 'Runs of all users, newest first',
  description: 'An unknown `user_id` gives an empty list.',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  query: z.object({
    limit: intParam({ min: 1, max: 10_000, default: 50 }),
    user_id: uuidParam.optional(),
    provider: wordParam(PROVIDER_IDS),
    status: wordParam(SYNC_STATUSES),
    source: wordParam(SYNC_SOURCES),
  }),
  status: 200,
  response: z.array(syncRunSummarySchema),
});

export const getSyncRun = defineRoute({
  id: 'getSyncRun',
  method: 'GET',
  path: '/api/v1/sync/runs/{run_id}',
  tag: 'Sync status',
  summary: 'One run with its report',
  auth: 'key',
  scope: 'read',
  audit: { resource: 'sync_run', action: 'read' },
  params: z.object({ run_id: runIdParam }),
  status: 200,
  response: syncRunSchema,
  errors: [404],
});
