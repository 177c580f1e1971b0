/** Developers, their API keys and refresh tokens. Secrets are stored as SHA-256 or argon2id only. */
export const accounts = {
  name: '2026-11-21_01_accounts',
  sql: `
create table developer (
  id uuid primary key,
  email text not null,
  first_name varchar(100),
  last_name varchar(100),
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index developer_email_key on developer (lower(email));

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
  expires_at timestamptz
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
`,
};
