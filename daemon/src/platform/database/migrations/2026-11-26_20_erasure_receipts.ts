/** What an erasure took away, without a trace of whose data it was: counts, and what vendors were asked to end. */
export const erasureReceipts = {
  name: '2026-11-26_20_erasure_receipts',
  sql: `
create table erasure_receipt (
  id uuid primary key,
  erased_at timestamptz not null,
  -- The line of the ledger of erasures; no foreign key, because an operator may remove old ones of \`erasure\`.
  ledger_hash text not null,
  counts json not null,
  -- One object for each connection: provider and what became of the consent.
  connections json not null
);
`,
};
