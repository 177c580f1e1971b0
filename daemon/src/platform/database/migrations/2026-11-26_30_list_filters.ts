/** Filters of the audit trail and of the runs of all users that read the whole table where few rows, or none, pass them. */
export const listFilters = {
  name: '2026-11-26_30_list_filters',
  sql: `
create index audit_event_actor_type on audit_event (actor_type, at, seq);
create index audit_event_resource on audit_event (resource, at, seq);
-- A provider and a kind of run that are both frequent, and never together.
create index sync_run_provider_source on sync_run (provider, source, created_at, run_id);
`,
};
