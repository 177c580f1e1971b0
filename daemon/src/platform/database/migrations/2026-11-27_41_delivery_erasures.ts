/** Deliveries remember their sender, and what an erasure has to remove from their files. */
export const deliveryErasures = {
  name: '2026-11-27_41_delivery_erasures',
  sql: `
-- Network address of the sender, whose share of the spool is limited.
alter table webhook_delivery add column sender text;

-- Accounts of erased users whose items are still in files of the spool. A row goes when the files are rewritten.
create table delivery_erasure (
  provider text not null,
  account text not null,
  erased_at timestamptz not null,
  primary key (provider, account)
);
`,
};
