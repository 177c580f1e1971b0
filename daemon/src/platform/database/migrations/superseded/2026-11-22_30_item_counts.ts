/** What became of the items that a range of a pull brought; all outcomes together are `read`. */
export const itemCounts = {
  name: '2026-11-22_30_item_counts',
  sql: `
alter table pull_progress
  add column read bigint not null default 0,
  add column unchanged bigint not null default 0,
  add column superseded bigint not null default 0,
  add column duplicates bigint not null default 0,
  add column archived bigint not null default 0,
  add column suppressed bigint not null default 0,
  add column no_value bigint not null default 0,
  add column unsupported bigint not null default 0;
-- Ranges that were counted before: what is known of them adds up.
update pull_progress set read = inserted + updated + rejected;`,
};
