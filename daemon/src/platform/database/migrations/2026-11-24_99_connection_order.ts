/** Connections of all users are listed page by page in the order of their making, newest first. */
export const connectionOrder = {
  name: '2026-11-24_99_connection_order',
  sql: `
create index connection_order on connection (created_at, id);
`,
};
