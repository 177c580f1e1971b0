/** The days of an app's items when it was last compared with the apps that it may turn out to be; null: it never was. */
export const comparedSources = {
  name: '2026-11-24_30_compared_sources',
  sql: 'alter table data_source add column compared_from date, add column compared_until date;',
};
