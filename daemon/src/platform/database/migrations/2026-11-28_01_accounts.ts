/**
 * Developers, API keys, applications, invitations and refresh tokens, and counters against password guessing. Secrets
 * are stored as hashes (SHA-256, argon2id). Only an invitation's token is also stored encrypted with ENCRYPTION_KEY,
 * because lists show it again.
 */
export const accounts = {
  name: '2026-11-28_01_accounts',
  sql: `
create table developer (
  id uuid primary key,
  email text not null,
  first_name varchar(100),
  last_name varchar(100),
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The form in which an email is looked up, computed by the service: the database knows neither Unicode's compatibility
  -- forms nor the two spellings of a domain.
  login_name text not null
);
create unique index developer_login_name_key on developer (login_name);

create table api_key (
  id uuid primary key,
  name text not null,
  prefix text not null,
  last_four text not null,
  key_hash bytea not null unique,
  scopes text[],
  created_by uuid references developer (id) on delete set null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  -- No foreign key: a key that was replaced stays so when its successor is revoked.
  replaced_by uuid
);

-- Keys that were taken over from another service, also those that were revoked since: these do not come a second time.
create table adopted_api_key (
  key_hash bytea primary key
);

create table refresh_token (
  id uuid primary key,
  family_id uuid not null,
  token_hash bytea not null unique,
  kind text not null check (kind in ('developer', 'sdk')),
  developer_id uuid references developer (id) on delete cascade,
  user_id uuid,
  app_id text,
  created_at timestamptz not null default now(),
  idle_expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  rotated_at timestamptz,
  revoked_at timestamptz
);
create index refresh_token_family on refresh_token (family_id);
create index refresh_token_developer on refresh_token (developer_id) where developer_id is not null;
create index refresh_token_user on refresh_token (user_id) where user_id is not null;
create index refresh_token_app on refresh_token (app_id) where app_id is not null;

create table application (
  id uuid primary key,
  app_id text not null unique,
  name varchar(100) not null,
  secret_hash bytea not null,
  developer_id uuid references developer (id) on delete set null,
  created_at timestamptz not null default now()
);

create table developer_invitation (
  id uuid primary key,
  email text not null,
  token_hash bytea not null unique,
  token_sealed text not null,
  status text not null check (status in ('pending', 'accepted', 'revoked')),
  invited_by_id uuid references developer (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  login_name text not null
);
create index developer_invitation_login_name on developer_invitation (login_name) where status = 'pending';

-- The account and key of the first start until a person has been shown them: a start that was killed before leaves this
-- row, and the next one makes both anew, unless somebody has used them.
create table unshown_first_account (
  developer_id uuid primary key references developer (id) on delete cascade,
  api_key_id uuid not null references api_key (id) on delete cascade
);

-- Calls counted in the current window. Subjects (addresses, accounts) are hashed. Losing them in a crash is harmless.
create unlogged table call_count (
  subject_hash bytea primary key,
  calls integer not null,
  ends_at timestamptz not null
);

-- Failed logins in a row, of accounts that exist and of those that do not, by account and address together; the row without
-- an address counts all that came from addresses the account is not known at. A success is kept, so that the owner's own
-- addresses stay open to them.
create table login_failure (
  account_hash bytea not null,
  failures integer not null,
  locked_until timestamptz not null,
  last_at timestamptz not null,
  address_hash bytea not null default '',
  succeeded_at timestamptz,
  primary key (account_hash, address_hash)
);
`,
};
