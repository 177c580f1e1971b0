/** What of a delivery could not be stored yet waits by itself, while the rest of it and other deliveries go on. */
export const waitingShares = {
  name: '2026-11-24_95_waiting_shares',
  sql: `
-- How often a pass over the body left something waiting; attempts that ended with their process are in "attempts".
alter table webhook_delivery add column failures integer not null default 0;
-- Positions of notices that could not be followed yet.
alter table webhook_delivery add column waiting_notices integer[] not null default '{}';
-- Why items of this connection are not stored yet; later deliveries wait for them.
alter table webhook_delivery_share add column waits_for text;
create index webhook_delivery_share_waiting on webhook_delivery_share (connection_id) where waits_for is not null;
`,
};
