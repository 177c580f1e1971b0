/**
 * The account and key of the first start until a person has been shown them: a start that was killed before leaves this
 * row, and the next one makes both anew, unless somebody has used them.
 */
export const firstAccount = {
  name: '2026-11-22_80_first_account',
  sql: `
create table unshown_first_account (
  developer_id uuid primary key references developer (id) on delete cascade,
  api_key_id uuid not null references api_key (id) on delete cascade
);
`,
};
