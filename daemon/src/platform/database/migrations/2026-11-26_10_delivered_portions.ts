/** A pull sees that a delivery was stored while the vendor answered it: its answer is older then. */
export const deliveredPortions = {
  name: '2026-11-26_10_delivered_portions',
  sql: `
-- Counts up with each portion of a delivery that is stored.
alter table connection add column delivered_portions integer not null default 0;
`,
};
