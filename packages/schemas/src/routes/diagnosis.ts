import { z } from 'zod';
import { instantSchema, uuidSchema } from '../envelope.js';
import { userParams } from '../parameters.js';
import { defineRoute } from '../route.js';
import { providerSchema } from '../words.js';

export const DIAGNOSIS_CAUSES = [
  'never_connected',
  'consent_ended',
  'disconnected',
  'provider_disabled',
  'provider_not_configured',
  'quota_spent',
  'not_linked',
  'vendor_failing',
  'scope_missing',
  'webhook_silent',
  'run_waiting',
  'phone_silent',
  'archived',
  'nothing_recorded',
  'zone_unknown',
  'receiving',
] as const;
export type DiagnosisCause = (typeof DIAGNOSIS_CAUSES)[number];

export const DIAGNOSIS_REMEDIES = [
  'send_connect_link',
  'enable_provider',
  'set_credentials',
  'sync_now',
  'open_phone_app',
  'check_device',
  'set_up_account',
  'set_time_zone',
  'none',
] as const;
export type DiagnosisRemedy = (typeof DIAGNOSIS_REMEDIES)[number];

export const DIAGNOSIS_SEVERITIES = ['problem', 'attention', 'ok'] as const;
export type DiagnosisSeverity = (typeof DIAGNOSIS_SEVERITIES)[number];

export const providerDiagnosisSchema = z
  .object({
    provider: z.string(),
    provider_name: z.string().meta({ description: 'Display name of the provider' }),
    cause: z.enum(DIAGNOSIS_CAUSES).meta({
      description: 'Main cause; if there are several causes, the cause to fix first',
    }),
    severity: z.enum(DIAGNOSIS_SEVERITIES).meta({
      description:
        '`problem`: data is missing until someone acts. `attention`: data may be missing or wrong. `ok`: data arrives',
    }),
    sentence: z.string().meta({
      description: 'Diagnosis as a sentence with times in `time_zone`. Only for display: the wording may change',
    }),
    since: instantSchema.nullable().meta({ description: 'Start of the cause, if known' }),
    last_data_at: instantSchema.nullable().meta({ description: 'Newest time with stored data' }),
    last_synced_at: instantSchema.nullable().meta({ description: 'End of the last sync or push' }),
    next_try_at: instantSchema.nullable().meta({ description: 'Time of the next automatic attempt' }),
    remedy: z.enum(DIAGNOSIS_REMEDIES).meta({ description: 'Action that fixes the cause' }),
    details: z.array(z.string()).meta({
      description: 'Details of the cause: data types, error codes, the ID of a run',
    }),
  })
  .meta({ id: 'ProviderDiagnosis' });
export type ProviderDiagnosis = z.infer<typeof providerDiagnosisSchema>;

export const diagnosisSchema = z
  .object({
    user_id: uuidSchema,
    diagnosed_at: instantSchema.meta({ description: 'Time of the diagnosis' }),
    time_zone: z.string().meta({ description: 'IANA name of the user’s time zone; `UTC` if unknown' }),
    is_time_zone_known: z
      .boolean()
      .meta({ description: 'False if the time zone is unknown and `time_zone` is therefore `UTC`' }),
    providers: z.array(providerDiagnosisSchema),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof diagnosisSchema>;

export const diagnoseUser = defineRoute({
  id: 'diagnoseUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}/diagnosis',
  tag: 'Connections',
  summary: 'Diagnose a user’s missing data',
  description:
    'Returns one diagnosis per provider that has a connection, data or an open run of the user, most severe first. If no provider matches, the response contains one diagnosis per provider that can be connected. Each diagnosis contains the cause, its start, the last data, the next attempt and the fix, as fields and as a sentence.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'connection', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({
    provider: providerSchema
      .optional()
      .describe('Only return the diagnosis for this provider, even if the user has no data or connection there'),
  }),
  response: diagnosisSchema,
});
