/**
 * Pushed samples contain the part of their ID that the slot lacks, because a separate row per sample would double the
 * cost of a push.
 */
export const pushedIds = {
  name: '2026-11-28_15_pushed_ids',
  sql: `
-- Of a sample that a phone pushed: 25 bits of the item's id that the slot lacks, times 64, plus the number of the phone.
-- Items with a parent, phones above 63 and samples that were stored before have rows of pushed_sample instead.
alter table sample add column pushed integer;
-- 'user_key + 0' is for statements that must use this index. With 'user_key' alone the planner may prefer the primary key,
-- because it expects few rows of a new user, and then reads all of the user's samples for each id.
create index sample_pushed on sample ((user_key + 0), slot, pushed) where pushed is not null;
`,
};
