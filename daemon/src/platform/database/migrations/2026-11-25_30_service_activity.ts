/** What the whole service did lately: samples by day, vendors' notifications by outcome, trouble by the hour. */
export const serviceActivity = {
  name: '2026-11-25_30_service_activity',
  sql: `
create index day_value_date on day_value (local_date);

-- Changes that vendors reported, by the day in UTC on which they came and by what became of them.
create table notification_count (
  provider text not null,
  day date not null,
  outcome text not null,
  notifications bigint not null,
  primary key (provider, day, outcome)
);

-- How many connections each cause concerned at an instant: an object of counts by provider and cause.
create table trouble_snapshot (
  at timestamptz primary key,
  connections jsonb not null
);
`,
};
