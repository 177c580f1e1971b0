export { type AuditQuery, listAuditEvents } from './list-audit-events.js';
export { AUDIT_RETENTION_JOB, auditRetentionJob, deleteOldAuditEvents } from './retention.js';
export { recordServiceAct, type ServiceAct } from './service-record.js';
