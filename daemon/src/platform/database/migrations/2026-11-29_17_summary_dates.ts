/** Late copies of archived sleeps must not move the sleeps to another date. */
export const summaryDates = {
  name: '2026-11-29_17_summary_dates',
  sql: `
-- Date of the sleep summary that counted the session when it was archived; null before.
alter table sleep_session add column summary_date date;
`,
};
