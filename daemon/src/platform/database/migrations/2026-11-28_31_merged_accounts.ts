/**
 * Stores merged totals by account, so that two accounts of one vendor are not merged. The first summary that asks computes
 * the totals again.
 */
export const mergedAccounts = {
  name: '2026-11-28_31_merged_accounts',
  sql: `
truncate day_merged;
alter table day_merged
  add column account text not null default '',
  drop constraint day_merged_pkey,
  add primary key (user_key, type_id, local_date, provider, account);
`,
};
