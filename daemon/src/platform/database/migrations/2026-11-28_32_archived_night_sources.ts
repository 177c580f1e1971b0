/** The first archival after the upgrade stores the sources that archived nights show then. */
export const archivedNightSources = {
  name: '2026-11-28_32_archived_night_sources',
  sql: `
-- The source of each group of figures of a night when its samples were archived. It stays, whatever arrives later.
create table night_source (
  user_key bigint not null,
  wake_date date not null,
  source_id integer not null,
  figure_group text not null,
  primary key (user_key, wake_date, figure_group)
);
`,
};
