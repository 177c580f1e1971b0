import { z } from 'zod';
import { instantSchema } from '../envelope.js';
import { defineRoute } from '../route.js';

export const configSchema = z
  .object({
    outgoing_webhooks_enabled: z.boolean(),
    api_key_header: z.string().meta({ description: 'Header that carries an API key' }),
    pull_sync_lookback_seconds: z
      .int()
      .nullable()
      .meta({ description: 'Seconds that each pull reaches back behind what is known; null while that is off' }),
    sandbox: z
      .object({ providers: z.array(z.string()).meta({ description: 'Providers whose vendors are simulated' }) })
      .nullable()
      .meta({
        description: 'Simulated vendors with made-up people in place of the real ones; null where these are used',
      }),
  })
  .meta({ id: 'Config' });

const jobCounts = z.object({
  name: z.string().meta({ description: 'Which job' }),
  waiting: z.int().meta({ description: 'Due, and not yet taken by a worker' }),
  scheduled: z.int().meta({ description: 'For a later time, repeated attempts included' }),
  running: z.int().meta({ description: 'Being done now' }),
  failing: z.int().meta({ description: 'Of all of these, how many have failed at least once' }),
  oldest_waiting_since: instantSchema
    .nullable()
    .meta({ description: 'Since when the oldest of those that wait is due; null where none waits' }),
});

export const systemStatusSchema = z
  .object({
    version: z.string().meta({ description: 'Version of the service' }),
    node_version: z.string().meta({ description: 'Version of Node.js that it runs on' }),
    postgres_version: z.string().meta({ description: 'Version of its database' }),
    started_at: instantSchema.meta({ description: 'When the process that answers was started' }),
    database_clock_ahead_seconds: z.number().meta({
      description: 'Seconds by which the clock of the database is ahead of that of the service; negative: behind',
    }),
    disks: z
      .array(
        z.object({
          holds: z.enum(['uploads', 'database']).meta({
            description: 'What is stored there; the database only where the service runs one of its own',
          }),
          free_bytes: z.int().meta({ description: 'Bytes that the service can still write' }),
          capacity_bytes: z.int().meta({ description: 'Bytes of the whole disk' }),
        }),
      )
      .meta({ description: 'Where the service writes; one disk may stand here twice' }),
    job_store: z
      .object({
        kind: z.enum(['postgres', 'mongodb']).meta({ description: 'Which database it is' }),
        is_up: z.boolean().meta({ description: 'Whether it answers' }),
      })
      .meta({ description: 'Where jobs are stored' }),
    jobs: z.array(jobCounts).meta({ description: 'By name; empty while their store is away' }),
    sealed: z
      .array(
        z.object({
          key_id: z.string().meta({ description: 'Fingerprint of the key, which does not reveal it' }),
          values: z.int().meta({ description: 'Tokens of vendors and of open invitations that it has sealed' }),
          is_current: z.boolean().meta({ description: 'Whether new values are sealed with it' }),
          is_known: z.boolean().meta({ description: 'Whether ENCRYPTION_KEY holds it: else the values are lost' }),
        }),
      )
      .meta({ description: 'By key; the current one is listed also when it has sealed nothing' }),
    unproven_deliveries: z
      .array(
        z.object({
          provider: z.string().meta({ description: 'Provider whose vendor delivers the data' }),
          setting: z.string().meta({ description: 'Setting that proves its deliveries' }),
          is_set: z
            .boolean()
            .meta({ description: 'True if the setting is set; else every delivery is answered with 503' }),
          address: z.string().meta({ description: 'Address to enter at the vendor, with the setting’s value in it' }),
          refused: z
            .int()
            .meta({ description: 'Deliveries refused in the last 90 days because the setting was unset' }),
          first_refused_on: z.string().nullable().meta({ description: 'Day in UTC of the first refusal' }),
          last_refused_at: instantSchema.nullable().meta({ description: 'Time of the last refusal' }),
          connections_to_backfill: z
            .int()
            .meta({ description: 'Active connections whose past was not requested since the last refusal' }),
        }),
      )
      .meta({ description: 'Vendors whose deliveries are refused because a setting is unset, or were and left a gap' }),
  })
  .meta({ id: 'SystemStatus' });
export type SystemStatus = z.infer<typeof systemStatusSchema>;

export const getConfig = defineRoute({
  id: 'getConfig',
  method: 'GET',
  path: '/api/v1/config',
  tag: 'Operations',
  summary: 'What this service is set up to do',
  auth: 'developer',
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
  response: configSchema,
});

export const getSystemStatus = defineRoute({
  id: 'getSystemStatus',
  method: 'GET',
  path: '/api/v1/system/status',
  tag: 'Operations',
  summary: 'How the service and what it stands on are doing',
  description:
    'Versions, room on the disks, the clock of the database, jobs that wait, deliveries that are refused, and which keys have sealed what ' +
    'the service keeps secret. `healthctl doctor` judges them.',
  auth: 'developer',
  audit: { exempt: 'state of the service, no data of a person' },
  status: 200,
  response: systemStatusSchema,
});
