/** Webhooks that carry data, and the history that arrives through them. */
export const deliveries = {
  name: '2026-11-28_09_deliveries',
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
  file_deleted_at timestamptz,
  -- How often a pass over the body left something waiting; attempts that ended with their process are in "attempts".
  failures integer not null default 0,
  -- Positions of notices that could not be followed yet.
  waiting_notices integer[] not null default '{}',
  -- Read once more, for the connections alone whose run was retried.
  retried boolean not null default false,
  -- Network address of the sender, whose share of the spool is limited.
  sender text
);
create index webhook_delivery_waiting on webhook_delivery (provider, next_try_at, seq) where state = 'received';
create index webhook_delivery_kept on webhook_delivery (ended_at) where file_deleted_at is null;
create index webhook_delivery_old on webhook_delivery (received_at) where file_deleted_at is not null;

-- What one connection is given by a delivery: its run, and how many items of the body are stored.
create table webhook_delivery_share (
  delivery_id uuid not null references webhook_delivery (id) on delete cascade,
  connection_id uuid not null references connection (id) on delete cascade,
  run_id text not null references sync_run (run_id) on delete cascade,
  items_done integer not null default 0,
  -- Why items of this connection are not stored yet; later deliveries wait for them.
  waits_for text,
  -- The vendor's id of the account that the connection had: after another consent it may have another one.
  account text,
  -- Positions of items that could not be stored, the first thousand of them; whether there are more.
  refused integer[] not null default '{}',
  refused_more boolean not null default false,
  -- Those of an earlier run that are read once more.
  again integer[] not null default '{}',
  -- What comes behind items_done was given up.
  given_up boolean not null default false,
  primary key (delivery_id, connection_id)
);
create index webhook_delivery_share_run on webhook_delivery_share (run_id);
create index webhook_delivery_share_connection on webhook_delivery_share (connection_id);
create index webhook_delivery_share_waiting on webhook_delivery_share (connection_id) where waits_for is not null;

-- The version of an item that was stored last, so that an older one that comes later is left out.
create table delivered_version (
  connection_id uuid not null references connection (id) on delete cascade,
  data_type text not null,
  item text not null,
  version double precision not null,
  seen_at timestamptz not null default now(),
  -- Of two items of a kind that overlap the one of the higher rank counts; null where items of the kind may overlap.
  rank integer,
  from_at timestamptz,
  to_at timestamptz,
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

-- Accounts of erased users whose items are still in files of the spool. A row goes when the files are rewritten.
create table delivery_erasure (
  provider text not null,
  account text not null,
  erased_at timestamptz not null,
  primary key (provider, account)
);
`,
};
