/**
 * What devices push. A batch lies here from before it is answered until it is processed; its body is what the client
 * sent, byte for byte. `queued_told` says whether the run's first event is written: a batch is taken on without waiting
 * for a writer that holds the user.
 */
export const push = {
  name: '2026-11-21_30_push',
  sql: `
create table device_batch (
  seq bigint generated always as identity primary key,
  batch_id uuid not null unique,
  user_key bigint not null references health_user (user_key) on delete cascade,
  provider text not null,
  state text not null default 'received' check (state in ('received', 'done', 'failed')),
  encoding text not null check (encoding in ('identity', 'gzip')),
  byte_size integer not null,
  sha256 bytea not null,
  key_hash bytea,
  attempts smallint not null default 0,
  queued_told boolean not null,
  received_at timestamptz not null default now(),
  ended_at timestamptz,
  body bytea
);
-- Bodies are packed by the client or not at all: trying to pack them here would cost more than it saves.
alter table device_batch alter column body set storage external;
create index device_batch_waiting on device_batch (user_key, seq) where state = 'received';
create index device_batch_ended on device_batch (ended_at) where state <> 'received';
create unique index device_batch_key on device_batch (user_key, key_hash) where key_hash is not null;

-- The vendor's id of the session a stage belongs to; stages of one id are one session.
alter table sleep_stage add column session_id text;
`,
};
