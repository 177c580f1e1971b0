/** Filters of a list by how many days it goes back, today included, by the calendar of UTC. */
export const RECENT_DAYS = [
  ['1', 'Today (UTC)'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
] as const;
