import { z } from 'zod';
import { instantSchema, paginationSchema, uuidSchema } from '../envelope.js';
import { intParam, uuidParam } from '../parameters.js';
import { AUDIT_ACTIONS, defineRoute } from '../route.js';
import { textField } from '../text.js';
import { cursorParam } from './reading/cursor.js';
import { momentParam } from './reading/moment.js';

/**
 * Who did something. The id is that of the developer, of the API key, of the application, or of the application behind a
 * device's token. `service` is this service itself, e.g. when it deletes what is older than its settings allow.
 */
export const AUDIT_ACTOR_TYPES = ['developer', 'api_key', 'sdk', 'application', 'service', 'anonymous'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

/** How it ended: done, refused for want of a right, or not done for another reason. */
export const AUDIT_OUTCOMES = ['success', 'denied', 'failure'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** One record of the audit trail: who did what to whose data, and how it ended. It never holds values. */
export const auditEventSchema = z
  .object({
    id: z.int().meta({ description: 'Number of the record; later records have higher ones' }),
    at: instantSchema,
    actor_type: z.enum(AUDIT_ACTOR_TYPES),
    actor_id: z.string().nullable(),
    user_id: uuidSchema.nullable().meta({ description: 'Whose data it was; null when no single person’s' }),
    resource: z.string(),
    resource_id: z
      .string()
      .nullable()
      .meta({ description: 'Which one was deleted or restored: a workout, night or menstrual cycle' }),
    action: z.string(),
    outcome: z.enum(AUDIT_OUTCOMES),
    status: z.int().nullable().meta({ description: 'HTTP status of the answer' }),
    route: z.string().meta({ description: 'Operation id of the route, or name of the job' }),
    request_id: z.string().nullable(),
    address: z.string().nullable().meta({ description: 'Network address that the request came from' }),
    occurrences: z.int().meta({
      description:
        'How many requests the record stands for. More than 1 only of `anonymous`: after the first, what is refused without a credential is counted for a minute, by route, status and address',
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
  status: 200,
  response: auditListSchema,
});
