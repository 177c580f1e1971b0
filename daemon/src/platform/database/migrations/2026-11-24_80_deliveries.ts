/** Webhooks that carry the data themselves, and the past that comes through them. */
export const deliveries = {
  name: '2026-11-24_80_deliveries',
  sql: `
-- A body in the spool. The row exists before the vendor is answered; what is in it is read afterwards.
create table webhook_delivery (
  id uuid primary key,
  seq bigint generated always as identity,
  provider text not null,
  spool_name text not null,
  byte_size bigint not null,
  sha256 bytea not null,
  state text not null default 'received' check (state in ('received', 'done', 'failed')),
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  -- Items up to this one were looked at for notices about consents, which count once.
  notices_done integer not null default 0,
  -- Accounts that nobody was connected to: a consent that is under way may still turn out to be theirs.
  unmatched text[] not null default '{}',
  -- Code of what could not be read.
  problem text,
  received_at timestamptz not null default now(),
  ended_at timestamptz,
  file_deleted_at timestamptz
);
create index webhook_delivery_waiting on webhook_delivery (provider, next_try_at, seq) where state = 'received';
create index webhook_delivery_kept on webhook_delivery (ended_at) where file_deleted_at is null;

-- What one connection is given by a delivery: its run, and how many items of the body are stored.
create table webhook_delivery_share (
  delivery_id uuid not null references webhook_delivery (id) on delete cascade,
  connection_id uuid not null references connection (id) on delete cascade,
  run_id text not null references sync_run (run_id) on delete cascade,
  items_done integer not null default 0,
  primary key (delivery_id, connection_id)
);

-- The version of an item that was stored last, so that an older one that comes later is left out.
create table delivered_version (
  connection_id uuid not null references connection (id) on delete cascade,
  data_type text not null,
  item text not null,
  version double precision not null,
  seen_at timestamptz not null default now(),
  primary key (connection_id, data_type, item)
);
create index delivered_version_age on delivered_version (seen_at);

-- A window of the past that is requested of a vendor: the data come later with the deliveries. A window that was taken is
-- never requested again.
create table vendor_export (
  run_id text not null references sync_run (run_id) on delete cascade,
  connection_id uuid not null references connection (id) on delete cascade,
  data_type text not null,
  -- How deliveries name it.
  delivered_as text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- pending: to be asked for; requested: taken, the data are awaited; covered: it was asked for before; done: its data came;
  -- empty: none came in time.
  state text not null default 'pending'
    check (state in ('pending', 'requested', 'covered', 'done', 'empty', 'failed', 'cancelled')),
  -- When it was first asked for, noted before the request is sent.
  asked_at timestamptz,
  requested_at timestamptz,
  first_item_at timestamptz,
  last_item_at timestamptz,
  items integer not null default 0,
  failures integer not null default 0,
  -- How often the window was shortened because the vendor goes back less far.
  clamps integer not null default 0,
  error text,
  next_look_at timestamptz not null default now(),
  primary key (run_id, data_type, from_at)
);
create index vendor_export_connection on vendor_export (connection_id, delivered_as);
create index vendor_export_due on vendor_export (next_look_at) where state in ('pending', 'requested');
`,
};
