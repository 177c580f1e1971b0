/**
 * Applications, invitations and codes, and what is counted against guessing. Of secrets only hashes are stored, except
 * the token of a developer's invitation, which lists show again: it is sealed under ENCRYPTION_KEY.
 */
export const credentials = {
  name: '2026-11-21_10_credentials',
  sql: `
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
  expires_at timestamptz not null
);
create index developer_invitation_email on developer_invitation (lower(email)) where status = 'pending';

create table user_invitation_code (
  id uuid primary key,
  user_id uuid not null references health_user (id) on delete cascade,
  code_hash bytea not null unique,
  created_by uuid references developer (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  revoked_at timestamptz
);
create index user_invitation_code_user on user_invitation_code (user_id);

create index refresh_token_app on refresh_token (app_id) where app_id is not null;

-- Calls counted in the current window. Subjects (addresses, accounts) are hashed. Losing them in a crash is harmless.
create unlogged table call_count (
  subject_hash bytea primary key,
  calls integer not null,
  ends_at timestamptz not null
);

-- Failed logins in a row, of accounts that exist and of those that do not.
create table login_failure (
  account_hash bytea primary key,
  failures integer not null,
  locked_until timestamptz not null,
  last_at timestamptz not null
);
`,
};
