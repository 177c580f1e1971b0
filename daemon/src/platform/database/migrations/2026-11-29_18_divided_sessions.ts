/** A pause that is too long divides a vendor's session, so several assembled sessions may have one vendor ID. */
export const dividedSessions = {
  name: '2026-11-29_18_divided_sessions',
  sql: `
drop index sleep_session_external;
create unique index sleep_session_external on sleep_session
  (user_key, source_id, external_id, (case when assembled then id else '00000000-0000-0000-0000-000000000000' end))
  where external_id is not null;
`,
};
