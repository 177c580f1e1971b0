/** A workout keeps the highest heart rate of its archived samples, as it keeps their sum and count. */
export const archivedMaximum = {
  name: '2026-11-27_97_archived_maximum',
  sql: `
alter table workout add column archived_heart_rate_max double precision;
`,
};
