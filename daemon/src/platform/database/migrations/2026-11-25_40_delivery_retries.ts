/** A run of a delivery can be retried: what of the delivery is not stored for a connection is known. */
export const deliveryRetries = {
  name: '2026-11-25_40_delivery_retries',
  sql: `
alter table webhook_delivery_share
  -- Positions of items that could not be stored, the first thousand of them.
  add column refused integer[] not null default '{}',
  -- Those of an earlier run that are read once more.
  add column again integer[] not null default '{}',
  -- What comes behind items_done was given up.
  add column given_up boolean not null default false;
update webhook_delivery_share s set given_up = true
  from webhook_delivery d, sync_run r
 where d.id = s.delivery_id and d.problem = 'gave_up' and r.run_id = s.run_id and r.status in ('failed', 'partial');
`,
};
