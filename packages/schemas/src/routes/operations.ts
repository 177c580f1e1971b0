import { z } from 'zod';
import { instantSchema } from '../envelope.js';
import { defineRoute } from '../route.js';

export const configSchema = z
  .object({
    outgoing_webhooks_enabled: z.boolean(),
    api_key_header: z.string().meta({ description: 'Header for API keys' }),
    pull_sync_lookback_seconds: z
      .int()
      .nullable()
      .meta({ description: 'Overlap of each sync with the previous sync in seconds; null if live sync is off' }),
    sandbox: z
      .object({ providers: z.array(z.string()).meta({ description: 'Providers whose vendors are simulated' }) })
      .nullable()
      .meta({
        description: 'Simulated vendors with made-up users; null if the service uses the real vendors',
      }),
  })
  .meta({ id: 'Config' });

const jobCounts = z.object({
  name: z.string().meta({ description: 'Job name' }),
  waiting: z.int().meta({ description: 'Jobs that are due and not yet claimed by a worker' }),
  scheduled: z.int().meta({ description: 'Jobs scheduled for later, including retries' }),
  running: z.int().meta({ description: 'Jobs that are running' }),
  failing: z.int().meta({ description: 'Jobs in any of these states that have failed at least once' }),
  oldest_waiting_since: instantSchema
    .nullable()
    .meta({ description: 'Due time of the oldest waiting job; null if no job is waiting' }),
});

export const systemStatusSchema = z
  .object({
    version: z.string().meta({ description: 'Version of healthd' }),
    node_version: z.string().meta({ description: 'Version of Node.js' }),
    postgres_version: z.string().meta({ description: 'Version of PostgreSQL' }),
    started_at: instantSchema.meta({ description: 'Start of the responding process' }),
    database_clock_ahead_seconds: z.number().meta({
      description: 'Seconds by which the database clock is ahead of the service clock; negative if behind',
    }),
    disks: z
      .array(
        z.object({
          holds: z.enum(['uploads', 'database']).meta({
            description: 'Stored content; includes the database only if the service runs its own',
          }),
          free_bytes: z.int().meta({ description: 'Free bytes for the service' }),
          capacity_bytes: z.int().meta({ description: 'Total size of the disk in bytes' }),
        }),
      )
      .meta({ description: 'Directories that the service writes to; two may be on the same disk' }),
    job_store: z
      .object({
        kind: z.enum(['postgres', 'mongodb']).meta({ description: 'Type of database' }),
        is_up: z.boolean().meta({ description: 'True if it responds' }),
      })
      .meta({ description: 'Job store' }),
    jobs: z.array(jobCounts).meta({ description: 'Jobs by name; empty if the job store is down' }),
    sealed: z
      .array(
        z.object({
          key_id: z.string().meta({ description: 'Fingerprint of the key; does not reveal it' }),
          values: z.int().meta({ description: 'Number of vendor tokens and invitation tokens encrypted with the key' }),
          is_current: z.boolean().meta({ description: 'True if new values are encrypted with it' }),
          is_known: z
            .boolean()
            .meta({ description: 'True if ENCRYPTION_KEY contains the key; otherwise its values are lost' }),
        }),
      )
      .meta({ description: 'Encrypted values by key; always includes the current key' }),
    feed: z
      .object({
        is_on: z.boolean().meta({ description: 'True if the service records changes' }),
        has_other_setting: z.boolean().meta({
          description: 'True if the process that responds has another `FEED` than the process that started last',
        }),
        waiting: z.int().meta({ description: 'Committed changes that readers do not see yet; counts up to 100,000' }),
        oldest_waiting_since: instantSchema.nullable().meta({ description: 'Time of the oldest waiting change' }),
      })
      .meta({ description: 'Feed of changes' }),
    repairs: z
      .array(
        z.object({
          name: z.string().meta({ description: 'Name of the repair' }),
          title: z.string().meta({ description: 'Text to show, e.g. "Rebuilding nights"' }),
          users_done: z.int().meta({ description: 'Users whose data is repaired' }),
          users_total: z.int().meta({ description: 'Users whose data is or will be repaired' }),
          users_failed: z.int().meta({ description: 'Pending users whose repair failed and will be retried' }),
          started_at: instantSchema.nullable().meta({ description: 'Start of the repair; null before it starts' }),
          finished_at: instantSchema
            .nullable()
            .meta({ description: 'End of the repair; null while users are pending' }),
        }),
      )
      .meta({ description: 'Repairs of data that an earlier version stored, which the start after an upgrade queues' }),
    unproven_deliveries: z
      .array(
        z.object({
          provider: z.string().meta({ description: 'Provider whose vendor sends the deliveries' }),
          setting: z.string().meta({ description: 'Setting that authenticates the deliveries' }),
          is_set: z.boolean().meta({ description: 'True if the setting is set; otherwise every delivery gets a 503' }),
          address: z.string().meta({ description: 'URL to register at the vendor, including the setting’s value' }),
          refused: z
            .int()
            .meta({ description: 'Deliveries rejected in the last 90 days because the setting was missing' }),
          first_refused_on: z.string().nullable().meta({ description: 'Day of the first rejection, in UTC' }),
          last_refused_at: instantSchema.nullable().meta({ description: 'Time of the last rejection' }),
          connections_to_backfill: z
            .int()
            .meta({ description: 'Active connections without a backfill since the last rejection' }),
        }),
      )
      .meta({
        description:
          'Vendors whose deliveries are rejected because a setting is missing, or whose rejected deliveries left a gap',
      }),
  })
  .meta({ id: 'SystemStatus' });
export type SystemStatus = z.infer<typeof systemStatusSchema>;

export const getConfig = defineRoute({
  id: 'getConfig',
  method: 'GET',
  path: '/api/v1/config',
  tag: 'Operations',
  summary: 'Get the service’s configuration',
  auth: 'developer',
  audit: { exempt: 'settings of the service, no user data' },
  status: 200,
  response: configSchema,
});

export const getSystemStatus = defineRoute({
  id: 'getSystemStatus',
  method: 'GET',
  path: '/api/v1/system/status',
  tag: 'Operations',
  summary: 'Get the service’s health',
  description:
    'Returns versions, free disk space, the database clock, waiting jobs, rejected deliveries and encryption keys in use. `healthctl doctor` evaluates them.',
  auth: 'developer',
  audit: { exempt: 'state of the service, no user data' },
  status: 200,
  response: systemStatusSchema,
});
