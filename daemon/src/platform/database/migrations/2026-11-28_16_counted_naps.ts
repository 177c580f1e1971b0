/** Archived nights may include naps that are copies of another source's night. */
export const countedNaps = {
  name: '2026-11-28_16_counted_naps',
  sql: `
-- Set when a session's night was archived and the summary counted it otherwise than is_nap; otherwise null.
alter table sleep_session add column counted_as_nap boolean;
`,
};
