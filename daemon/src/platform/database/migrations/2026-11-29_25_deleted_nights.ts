/** Columns: whether a deleted session was a night, whether an import in mode `replace` started to remove older data. */
export const deletedNights = {
  name: '2026-11-29_25_deleted_nights',
  sql: `
-- Null for workouts, cycles and sessions that were deleted by an older version. The length then decides.
alter table session_tombstone add column is_night boolean;

alter table import_file add column removed_missing boolean not null default false;
update import_file f set removed_missing = true
 where mode = 'replace' and not dry_run and state in ('done', 'partial')
   and not exists (select from sync_run r where r.run_id = f.run_id
                    and r.metadata ->> 'reason' in ('truncated', 'export_date_missing', 'newer_file'));
`,
};
