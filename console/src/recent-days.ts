/** List filters by number of UTC days, including today. */
export const RECENT_DAYS = [
  ['1', 'Today (UTC)'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
] as const;
