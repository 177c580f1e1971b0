/** Two workouts of one start with other ends or types are two; sleep of one start may be a nap or a night. */
export const sessionIdentity = {
  name: '2026-11-22_60_session_identity',
  sql: `
drop index workout_start;
create unique index workout_start on workout (user_key, source_id, start_at, end_at, type) where external_id is null;
drop index sleep_session_start;
create unique index sleep_session_start on sleep_session (user_key, source_id, start_at, assembled, is_nap)
  where external_id is null;
`,
};
