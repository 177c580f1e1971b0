/** A smaller index of the feed's events, without runs. */
export const feedEventIndex = {
  name: '2026-11-29_27_feed_event_index',
  sql: `
-- Runs are as many as changes of data. Without them, readers of the other events skip nothing.
drop index change_events;
create index change_events on change (ordinal)
 where kind in ('selection', 'user', 'connection') and ordinal is not null;
`,
};
