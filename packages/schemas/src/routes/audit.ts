import { AUDIT_ACTIONS, AUDIT_ACTOR_TYPES, AUDIT_OUTCOMES } from '@healthd/contract';
import { z } from 'zod';
import { instantSchema, paginationSchema, uuidSchema } from '../envelope.js';
import { intParam, uuidParam } from '../parameters.js';
import { defineRoute } from '../route.js';
import { textField } from '../text.js';
import { cursorParam } from './reading/cursor.js';
import { momentParam } from './reading/moment.js';

/** Audit record. It never contains health values. */
export const auditEventSchema = z
  .object({
    id: z.int().meta({ description: 'Record number, ascending' }),
    at: instantSchema,
    actor_type: z.enum(AUDIT_ACTOR_TYPES),
    actor_id: z.string().nullable(),
    user_id: uuidSchema.nullable().meta({ description: 'User whose data was affected; null if several or none' }),
    resource: z.string(),
    resource_id: z.string().nullable().meta({
      description:
        'ID of the deleted or restored workout, night or menstrual cycle. For a deleted user: the `erasure_id`; a failed deletion has no receipt unless its status is 503',
    }),
    action: z.string(),
    outcome: z.enum(AUDIT_OUTCOMES),
    status: z.int().nullable().meta({ description: 'HTTP status of the response' }),
    route: z.string().meta({ description: 'Operation ID of the route, or name of the job' }),
    request_id: z.string().nullable(),
    address: z.string().nullable().meta({ description: 'IP address of the caller' }),
    detail: z.string().nullable().meta({
      description: 'Changes to vendor terms and their reasons: overrides and answers',
    }),
    occurrences: z.int().meta({
      description:
        'Number of requests in this record. Above 1 only for `anonymous`: requests without a credential are counted per minute, route, status and IP address',
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
  summary: 'List audit records, newest first',
  description: 'Records of deleted users are kept for AUDIT_RETENTION_DAYS. `from` is inclusive, `to` is exclusive.',
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
