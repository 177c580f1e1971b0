/** How a file is imported, whether it is only compared, and which stages came by files alone. */
export const importModes = {
  name: '2026-11-23_10_import_modes',
  sql: `
alter table import_file add column mode text not null default 'merge' check (mode in ('merge', 'replace'));
alter table import_file add column dry_run boolean not null default false;
alter table import_file drop constraint import_file_state_check;
alter table import_file add constraint import_file_state_check
  check (state in ('received', 'done', 'partial', 'failed', 'awaiting_confirmation'));
create index sync_run_confirmation on sync_run ((metadata ->> 'confirms')) where metadata ? 'confirms';

-- Of stages that are stored already nobody knows how they came: they count as pushed, which no file takes away.
alter table sleep_stage add column from_file boolean not null default false;
`,
};
