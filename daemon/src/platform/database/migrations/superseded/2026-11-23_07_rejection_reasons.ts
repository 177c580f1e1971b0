/** Why items that a range of a pull brought were rejected: how many by reason. */
export const rejectionReasons = {
  name: '2026-11-23_07_rejection_reasons',
  sql: `alter table pull_progress add column rejected_by_reason jsonb not null default '{}';`,
};
