/**
 * Failed logins are counted by account and address together; the row without an address counts all that came from
 * addresses the account is not known at. A success is kept, so that the owner's own addresses stay open to them.
 */
export const loginWaits = {
  name: '2026-11-22_10_login_waits',
  sql: `
alter table login_failure add column address_hash bytea not null default '';
alter table login_failure add column succeeded_at timestamptz;
alter table login_failure drop constraint login_failure_pkey;
alter table login_failure add primary key (account_hash, address_hash);
`,
};
