import { AUDIT_ACTIONS, AUDIT_ACTOR_TYPES, AUDIT_OUTCOMES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, paginationSchema, uuidSchema } from '../envelope.js';
import { intParam, uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';
import { cursorParam } from './reading/cursor.js';
import { momentParam } from './reading/moment.js';

/** One record of the audit trail: who did what to whose data, and how it ended. It never holds values. */
export const auditEventSchema = z
  .object({
    id: z.int().meta({ description: 'Number of the record; later records have higher ones' }),
    at: instantSchema,
    actor_type: z.enum(AUDIT_ACTOR_TYPES),
    actor_id: z.string().nullable(),
    user_id: uuidSchema.nullable().meta({ description: 'Whose data it was; null when no single person’s' }),
    resource: z.string(),
    resource_id: z.string().nullable().meta({
      description:
        'Which one was deleted or restored: a workout, night or menstrual cycle; of a deleted user the `erasure_id`, which has no receipt where the deletion failed with another status than 503',
    }),
    action: z.string(),
    outcome: z.enum(AUDIT_OUTCOMES),
    status: z.int().nullable().meta({ description: 'HTTP status of the answer' }),
    route: z.string().meta({ description: 'Operation id of the route, or name of the job' }),
    request_id: z.string().nullable(),
    address: z.string().nullable().meta({ description: 'Network address that the request came from' }),
    detail: z.string().nullable().meta({
      description:
        'What was changed and why, for changes of vendor terms: the overrides with their reasons, the answers',
    }),
    occurrences: z.int().meta({
      description:
        'How many requests the record counts. More than 1 only of `anonymous`: after the first, what is refused without a credential is counted for a minute, by route, status and address',
    }),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof auditEventSchema>;

export const auditListSchema = z
  .object({ data: z.array(auditEventSchema), pagination: paginationSchema })
  .meta({ id: 'AuditList' });
export type AuditList = z.infer<typeof auditListSchema>;

export const listAuditEvents = defineRoute({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/api/v1/audit',
  tag: 'Audit',
  summary: 'Who did what to whose data, newest first',
  description:
    'Records of a deleted user stay until they are older than AUDIT_RETENTION_DAYS. `from` is included, `to` is not.',
  auth: 'developer',
  audit: { resource: 'audit_event', action: 'read' },
  status: 200,
  query: z.object({
    user_id: uuidParam.optional(),
    actor_type: z.enum(AUDIT_ACTOR_TYPES).optional(),
    actor_id: textField(255).optional(),
    resource: textField(100).optional(),
    action: z.enum(AUDIT_ACTIONS).optional(),
    outcome: z.enum(AUDIT_OUTCOMES).optional(),
    from: momentParam.optional(),
    to: momentParam.optional(),
    limit: intParam({ min: 1, max: 1000, default: 50 }),
    cursor: cursorParam,
  }),
  response: auditListSchema,
});
