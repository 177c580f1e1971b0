/**
 * Who was erased, as keyed hashes: written with each erasure and copied to the ledger outside the database, which a restore
 * applies.
 */
export const erasures = {
  name: '2026-11-22_95_erasures',
  sql: `
create table erasure (
  hash text primary key,
  key text not null,
  erased_at timestamptz not null
);
`,
};
