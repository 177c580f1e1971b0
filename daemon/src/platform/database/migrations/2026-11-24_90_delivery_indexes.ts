/** What a run or a connection cascades to when it is deleted is found without reading the whole table. */
export const deliveryIndexes = {
  name: '2026-11-24_90_delivery_indexes',
  sql: `
create index webhook_delivery_share_run on webhook_delivery_share (run_id);
create index webhook_delivery_share_connection on webhook_delivery_share (connection_id);
`,
};
