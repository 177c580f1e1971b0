import { defineRoute } from '../route.js';

/**
 * Who did something. The id is that of the developer, of the API key, of the application, or of the application behind a
 * device's token. `service` is this service itself, e.g. when it deletes what is older than its settings allow.
 */
export const AUDIT_ACTOR_TYPES = ['developer', 'api_key', 'sdk', 'application', 'service', 'anonymous'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

/** How it ended: done, refused because a right was missing, or not done for another reason. */
export const AUDIT_OUTCOMES = ['success', 'denied', 'failure'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

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
});
