/**
 * The people whose data is stored, how they are invited, and who was erased. `user_key` is internal, short, and leads every
 * table of health data, so that the schema can be spread over machines by user; `id` is what the API shows.
 */
export const users = {
  name: '2026-11-24_02_users',
  sql: String.raw`
-- How texts are compared when people search for a user: in lower case and without accents. What does not fall apart into a
-- letter and an accent is replaced by what people type for it.
create function search_form(text) returns text language sql immutable strict parallel safe as $$
  select translate(
    replace(replace(replace(
      regexp_replace(normalize(lower($1), nfd), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    'łøđħı', 'lodhi')
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
  time_zone text
);
create index health_user_created on health_user (created_at desc, id);

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

-- Who was erased, as keyed hashes: written with each erasure and copied to the ledger outside the database, which a restore
-- applies.
create table erasure (
  hash text primary key,
  key text not null,
  erased_at timestamptz not null
);
`,
};
