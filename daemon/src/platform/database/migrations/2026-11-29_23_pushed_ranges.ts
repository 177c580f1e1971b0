/** Ranges that pushes deleted, and a second repair of nights that a stage at a wrong time removed or extended. */
export const pushedRanges = {
  name: '2026-11-29_23_pushed_ranges',
  sql: `
-- Ranges that a push deleted, and when the service received the push. A retried older push skips items in them. type_id is a
-- series, 0 for sleep or -1 for workouts.
create table pushed_range (
  user_key bigint not null,
  provider text not null,
  source_id integer not null,
  type_id smallint not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  received_at timestamptz not null,
  primary key (user_key, provider, source_id, type_id, start_at, end_at)
);

-- The repair now also divides sessions that a stage at a wrong time extended.
insert into pending_repair (user_key, repair)
select u.user_key, 'lost_nights' from health_user u
 where exists (select from sleep_session s where s.user_key = u.user_key and s.assembled and s.external_id is not null)
on conflict (user_key, repair) do update set resume_at = null;
`,
};
