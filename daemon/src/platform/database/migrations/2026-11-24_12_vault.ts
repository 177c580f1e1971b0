/**
 * A sealed value of known content for each ENCRYPTION_KEY that has sealed something, so that a start with another key finds
 * out before it does harm.
 */
export const vault = {
  name: '2026-11-24_12_vault',
  sql: `
create table encryption_key_check (
  key_id text primary key,
  sealed text not null
);
`,
};
