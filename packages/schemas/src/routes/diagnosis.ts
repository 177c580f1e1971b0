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
    provider_name: z.string().meta({ description: 'Name of the provider for people' }),
    cause: z.enum(DIAGNOSIS_CAUSES).meta({
      description: 'What explains the state; of several causes the one that must be mended first',
    }),
    severity: z.enum(DIAGNOSIS_SEVERITIES).meta({
      description:
        '`problem`: data are missing until a person acts. `attention`: data may be missing or wrong. `ok`: data arrive',
    }),
    sentence: z.string().meta({
      description: 'The verdict in plain words, with times on the clock of `time_zone`; for people, may be reworded',
    }),
    since: instantSchema.nullable().meta({ description: 'When the cause began, as far as that is known' }),
    last_data_at: instantSchema.nullable().meta({ description: 'The newest instant of which data are stored' }),
    last_synced_at: instantSchema.nullable().meta({ description: 'When the last sync or push ended' }),
    next_try_at: instantSchema.nullable().meta({ description: 'When the service tries again by itself' }),
    remedy: z.enum(DIAGNOSIS_REMEDIES).meta({ description: 'What mends the cause' }),
    details: z.array(z.string()).meta({
      description: 'Names that belong to the cause: kinds of data, codes of errors, the id of a run',
    }),
  })
  .meta({ id: 'ProviderDiagnosis' });
export type ProviderDiagnosis = z.infer<typeof providerDiagnosisSchema>;

export const diagnosisSchema = z
  .object({
    user_id: uuidSchema,
    diagnosed_at: instantSchema.meta({ description: 'When the verdicts were made' }),
    time_zone: z.string().meta({ description: 'IANA name of the zone of the person; `UTC` while none is known' }),
    is_time_zone_known: z.boolean().meta({ description: 'False while `time_zone` is `UTC` for want of a known zone' }),
    providers: z.array(providerDiagnosisSchema),
  })
  .meta({ id: 'Diagnosis' });
export type Diagnosis = z.infer<typeof diagnosisSchema>;

export const diagnoseUser = defineRoute({
  id: 'diagnoseUser',
  method: 'GET',
  path: '/api/v1/users/{user_id}/diagnosis',
  tag: 'Connections',
  summary: 'Why data of a user do or do not arrive',
  description:
    'One verdict per provider that has a connection, data or an open run of the user, the worst first; for a user who has ' +
    'none of these, one per provider that could be connected. Each names the cause, since when, the last data, the next ' +
    'try and what mends it, as fields and as a sentence.',
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
      .describe('Only the verdict on this provider, also when the user has nothing to do with it yet'),
  }),
  response: diagnosisSchema,
});
