/**
 * The audit trail is append-only: records never change. Only the retention function deletes records, and never a record
 * of the last day. The indexes match the order in which the trail is read.
 */
export const audit = {
  name: '2026-11-28_12_audit',
  sql: `
create table audit_event (
  seq bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_type text not null,
  actor_id text,
  user_id uuid,
  resource text not null,
  action text not null,
  outcome text not null,
  status integer,
  route text not null,
  request_id text,
  address text,
  -- How many refusals of callers without a credential the record stands for; 1 of everything else.
  occurrences integer not null default 1,
  -- Which workout, night or cycle it was, where the route names one.
  resource_id text,
  detail text
);
create index audit_event_time on audit_event (at, seq);
create index audit_event_user on audit_event (user_id, at, seq) where user_id is not null;
create index audit_event_actor on audit_event (actor_id, at, seq) where actor_id is not null;
create index audit_event_outcome on audit_event (outcome, at, seq) where outcome <> 'success';
create index audit_event_action on audit_event (action, at, seq) where action <> 'read';
create index audit_event_actor_type on audit_event (actor_type, at, seq);
create index audit_event_resource on audit_event (resource, at, seq);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('healthd.audit_retention', true) = 'on' then return old; end if;
  -- A restore empties the tables that it fills; these hold nothing then.
  if tg_op = 'TRUNCATE' and not exists (select from audit_event) then return null; end if;
  raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_event_append_only before update or delete on audit_event
  for each row execute function refuse_audit_change();

create trigger audit_event_keep before truncate on audit_event
  for each statement execute function refuse_audit_change();

create function delete_old_audit_events(older_than timestamptz, most integer) returns integer
language plpgsql set healthd.audit_retention = 'on' as $$
declare deleted integer;
begin
  if older_than is null or older_than > now() - interval '1 day' then
    raise exception 'audit records of the last day are kept' using errcode = 'insufficient_privilege';
  end if;
  delete from audit_event where seq in (select seq from audit_event where at < older_than order by at limit most);
  get diagnostics deleted = row_count;
  return deleted;
end $$;
`,
};
