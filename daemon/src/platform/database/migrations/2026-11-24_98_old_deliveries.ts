/** Deliveries whose time is over are found without reading the whole table. */
export const oldDeliveries = {
  name: '2026-11-24_98_old_deliveries',
  sql: `
create index webhook_delivery_old on webhook_delivery (received_at) where file_deleted_at is not null;
`,
};
