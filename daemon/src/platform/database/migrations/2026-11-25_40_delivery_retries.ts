/** A run of a delivery can be retried: what of the delivery is not stored for a connection is known. */
export const deliveryRetries = {
  name: '2026-11-25_40_delivery_retries',
  sql: `
-- Read once more, for the connections alone whose run was retried.
alter table webhook_delivery add column retried boolean not null default false;
alter table webhook_delivery_share
  -- The vendor's id of the account that the connection had: after another consent it may have another one.
  add column account text,
  -- Positions of items that could not be stored, the first thousand of them; whether there are more.
  add column refused integer[] not null default '{}',
  add column refused_more boolean not null default false,
  -- Those of an earlier run that are read once more.
  add column again integer[] not null default '{}',
  -- What comes behind items_done was given up.
  add column given_up boolean not null default false;
update webhook_delivery_share s set given_up = true
  from webhook_delivery d, sync_run r
 where d.id = s.delivery_id and d.problem = 'gave_up' and r.run_id = s.run_id and r.status in ('failed', 'partial');
update webhook_delivery_share s set refused_more = true
  from webhook_delivery d, sync_run r
 where d.id = s.delivery_id and d.problem = 'items_not_stored' and r.run_id = s.run_id and r.status in ('failed', 'partial');
`,
};
