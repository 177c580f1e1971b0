/** Items of deliveries that exclude each other in time, as nights do, are known by where they lie. */
export const exclusiveItems = {
  name: '2026-11-24_97_exclusive_items',
  sql: `
alter table delivered_version
  -- Of two items of a kind that overlap the one of the higher rank counts; null where items of the kind may overlap.
  add column rank integer,
  add column from_at timestamptz,
  add column to_at timestamptz;
`,
};
