/**
 * Totals of a day with every instant counted once over all sources of one provider. Filled by the first summary that
 * asks; the writer removes what it makes stale. `device_order` stands for the priorities of device types that the total
 * was made with: a row made with others is as good as none.
 */
export const merge = {
  name: '2026-11-21_40_merge',
  sql: `
create table day_merged (
  user_key bigint not null,
  local_date date not null,
  total double precision not null,
  device_order bigint not null,
  type_id smallint not null,
  provider text not null,
  primary key (user_key, type_id, local_date, provider)
);
`,
};
