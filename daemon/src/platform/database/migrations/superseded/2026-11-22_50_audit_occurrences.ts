/** How many refusals of callers without a credential one record of the audit trail stands for; 1 of everything else. */
export const auditOccurrences = {
  name: '2026-11-22_50_audit_occurrences',
  sql: 'alter table audit_event add column occurrences integer not null default 1;',
};
