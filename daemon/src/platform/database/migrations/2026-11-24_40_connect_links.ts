/**
 * Links with which people connect providers without a login: the token as a hash; what became of each provider once
 * somebody came back from its consent. `claimed` while a code is exchanged, so that of two who come back at once one
 * connects.
 */
export const connectLinks = {
  name: '2026-11-24_40_connect_links',
  sql: `
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
  revoked_at timestamptz
);
create index connect_link_user on connect_link (user_key, created_at);
create index connect_link_expiry on connect_link (expires_at);

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

-- A consent that was begun with a link leads back to its page, whose token is sealed here for so long.
alter table oauth_state
  add column link_id uuid references connect_link (id) on delete cascade,
  add column link_token text;
create index oauth_state_link on oauth_state (link_id) where link_id is not null;
`,
};
