/** Items of which a vendor gives a part later are requested again, and a reading may end between two items of one instant. */
export const awaitedItems = {
  name: '2026-11-26_50_awaited_items',
  sql: `
alter table pull_progress
  -- Ids of the items of the range that are to be read; all of them where it is null.
  add column only_items jsonb,
  -- Of the items of the last millisecond before done_from_at those up to this id are stored too.
  add column done_item text;

create table awaited_item (
  connection_id uuid not null references connection (id) on delete cascade,
  data_type text not null,
  item_id text not null,
  -- Where the item stands in the time of its kind of data.
  item_at timestamptz not null,
  -- How often the vendor did not give it.
  requests integer not null,
  next_at timestamptz not null,
  primary key (connection_id, data_type, item_id)
);
`,
};
