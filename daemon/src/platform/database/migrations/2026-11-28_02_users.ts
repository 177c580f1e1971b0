/**
 * Users, their invitations, and erasures. `user_key` is internal and short. It is the first column of every table of
 * health data, so that tables can be distributed by user. `id` is the public ID in the API.
 */
export const users = {
  name: '2026-11-28_02_users',
  sql: String.raw`
-- How texts are compared when people search for a user: in lower case and without accents. What does not fall apart into a
-- letter and an accent is replaced by what people type for it.
create function search_form(text) returns text language sql immutable strict parallel safe as $$
  select translate(
    replace(replace(replace(
      regexp_replace(normalize(lower($1), nfd), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    'łøđħı', 'lodhi')
$$;

-- All runs of three characters of a text. A GIN index of them finds a part of a word without an extension of Postgres. The
-- cost keeps the planner from computing them for each row of a table instead.
create function search_trigrams(text) returns text[] language sql immutable strict parallel safe cost 5000 as $$
  select array(select substr($1, i, 3) from generate_series(1, length($1) - 2) i)
$$;

create table health_user (
  user_key bigint generated always as identity primary key,
  id uuid not null unique,
  email text,
  first_name varchar(100),
  last_name varchar(100),
  external_user_id varchar(255) unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- An email and a name never run into each other: no word that is searched for has a line break in it.
  search_text text generated always as (
    search_form(coalesce(email, '') || E'\n' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || E'\n' ||
    coalesce(external_user_id, ''))
    ) stored,
  -- An IANA name, set by hand.
  time_zone text,
  -- Columns that a call changed. Null: unknown, for users from before this was noted.
  changed_here text[] default '{}'
);
create index health_user_created on health_user (created_at desc, id);
create index health_user_search on health_user using gin (search_trigrams(search_text));
create index health_user_email on health_user (email, id);
create index health_user_first_name on health_user (first_name, id);
create index health_user_last_name on health_user (last_name, id);

create table personal_record (
  user_key bigint primary key references health_user (user_key) on delete cascade,
  birth_date date,
  gender text check (gender in ('female', 'male', 'nonbinary', 'other')),
  updated_at timestamptz not null default now()
);

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

-- The newest ended run of each user that brought data. It is no part of health_user, whose indexes would all be written with
-- each run, and it stays when the run is removed because of its age.
create table user_last_sync (
  user_key bigint primary key references health_user (user_key) on delete cascade,
  last_synced_at timestamptz not null,
  provider text not null
);
create index user_last_sync_order on user_last_sync (last_synced_at);

-- Who was erased, as keyed hashes: written with each erasure and copied to the ledger outside the database, which a restore
-- applies.
create table erasure (
  hash text primary key,
  key text not null,
  erased_at timestamptz not null
);

-- What an erasure took away, without a trace of whose data it was: counts, and what vendors were asked to end.
create table erasure_receipt (
  id uuid primary key,
  erased_at timestamptz not null,
  -- The line of the ledger of erasures; no foreign key, because an operator may remove old ones of 'erasure'.
  ledger_hash text not null,
  counts json not null,
  -- One object for each connection: provider and what became of the consent.
  connections json not null
);
`,
};
