export { type AuditRow, insertAuditRows } from './audit-rows.js';
export { type AuditQuery, listAuditEvents } from './list-audit-events.js';
export { auditCleaning, deleteOldAuditEvents } from './retention.js';
export { recordServiceAct, type ServiceAct } from './service-record.js';
