/** Vendors whose notifications name an item and no time: the item's id says where it is stored. */
export const notifiedItems = {
  name: '2026-11-24_20_notified_items',
  sql: 'alter table provider_notification add column item_id text;',
};
