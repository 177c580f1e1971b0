/**
 * Users' connections to vendors' clouds, and consents. Tokens are encrypted with ENCRYPTION_KEY. A phone's push creates
 * a connection without tokens. `account_state` explains why no data arrives from an active connection.
 */
export const connections = {
  name: '2026-11-28_07_connections',
  sql: `
create table connection (
  id uuid primary key default gen_random_uuid(),
  user_key bigint not null references health_user (user_key) on delete cascade,
  provider text not null,
  status text not null default 'active' check (status in ('active', 'revoked', 'expired')),
  status_reason text,
  provider_user_id text,
  -- The last account that was known; while provider_user_id is empty it tells whose data the cursors stand for.
  cursor_account text,
  provider_username text,
  scope text,
  access_token text,
  refresh_token text,
  token_expires_at timestamptz,
  -- Counts up with each new pair of tokens, so that a loser of a race for the renewal sees that it is done.
  token_version integer not null default 0,
  account_state text not null default 'linked' check (account_state in ('linked', 'not_linked', 'not_ready')),
  account_checked_at timestamptz,
  -- When the first consent came; the backfill follows the first one only, whatever happens later.
  consented_at timestamptz,
  backfill_started_at timestamptz,
  last_synced_at timestamptz,
  last_notified_at timestamptz,
  -- When the scheduler last asked for a pull.
  polled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- An IANA name: what the vendor's account or the phone told.
  time_zone text,
  -- Kept, and since when it fails, until a run of it succeeds.
  last_error text,
  last_error_at timestamptz,
  failing_since timestamptz,
  -- Counts up with each portion of a delivery that is stored.
  delivered_portions integer not null default 0,
  -- The account that sources of the present consent are given.
  source_account text,
  unique (user_key, provider)
);
create index connection_vendor_account on connection (provider, provider_user_id) where status = 'active';
create index connection_order on connection (created_at, id);
create index connection_provider on connection (provider, created_at, id);
create index connection_failing on connection (created_at, id) where status = 'active' and failing_since is not null;
create index connection_ended on connection (created_at, id) where status <> 'active';

-- How far each kind of data of a connection is. A cursor moves in the transaction that stores the window before it.
create table connection_data_type (
  connection_id uuid not null references connection (id) on delete cascade,
  data_type text not null,
  cursor_at timestamptz,
  last_outcome text,
  last_error text,
  last_run_at timestamptz,
  last_success_at timestamptz,
  primary key (connection_id, data_type)
);
create index connection_data_type_failed on connection_data_type (connection_id) where last_outcome = 'failed';

-- Links with which people connect providers without a login.
create table connect_link (
  id uuid primary key default gen_random_uuid(),
  user_key bigint not null references health_user (user_key) on delete cascade,
  token_hash bytea not null unique,
  providers text[] not null,
  language text,
  redirect_uri text,
  opener_origin text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- The last browsers that began a consent with the link, the newest first.
  browser_hash bytea[] not null default '{}'
);
create index connect_link_user on connect_link (user_key, created_at);
create index connect_link_expiry on connect_link (expires_at);

-- What became of each provider of a link once somebody came back from its consent. 'claimed' while a code is exchanged,
-- so that of two who come back at once one connects.
create table connect_link_use (
  link_id uuid not null references connect_link (id) on delete cascade,
  user_key bigint not null references health_user (user_key) on delete cascade,
  provider text not null,
  state text not null check (state in ('claimed', 'connected', 'partial', 'failed')),
  error text,
  missing_data_types text[] not null default '{}',
  at timestamptz not null default now(),
  primary key (link_id, provider)
);
create index connect_link_use_user on connect_link_use (user_key);

-- A consent that has begun and not come back.
create table oauth_state (
  state_hash bytea primary key,
  provider text not null,
  user_key bigint not null references health_user (user_key) on delete cascade,
  redirect_uri text,
  verifier_secret text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The link with which the consent was begun.
  link_id uuid references connect_link (id) on delete cascade,
  -- SHA-256 of the cookie of the browser that began the consent. Null: the consent is tied to no browser.
  browser_hash bytea,
  -- The vendor's address, sealed, until a browser opens the address of the service.
  start_secret text
);
create index oauth_state_expiry on oauth_state (expires_at);
create index oauth_state_link on oauth_state (link_id) where link_id is not null;
create unique index oauth_state_browser on oauth_state (link_id, provider, browser_hash) where link_id is not null;

-- What the operator chose for a provider; no row is the default.
create table provider_setting (
  provider text primary key,
  is_enabled boolean not null default true,
  live_sync_mode text check (live_sync_mode in ('pull', 'webhook')),
  data_granularity text check (data_granularity in ('raw', 'hourly', 'daily')),
  subscriber_state text check (subscriber_state in ('unmanaged', 'registering', 'active', 'failed')),
  subscriber_error text,
  first_notified_at timestamptz,
  updated_at timestamptz not null default now(),
  -- What the vendor's subscriber was last registered with, or could not be, so that a start with other settings registers it
  -- anew. The webhook secret is in it as a keyed digest. Null: nothing was, or nobody knows.
  subscriber_registration jsonb,
  -- Sealed: the id of the registration at the vendor and its secret.
  given_secret text,
  -- overrides: term -> value, reason, who and when. answers: term -> accepted or declined, for which value, who and when.
  terms jsonb not null default '{"overrides": {}, "answers": {}}'
);

-- How many connections each cause concerned at an instant: an object of counts by provider and cause.
create table trouble_snapshot (
  at timestamptz primary key,
  connections jsonb not null
);
`,
};
