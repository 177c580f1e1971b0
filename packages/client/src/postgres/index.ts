export type { PostgresClient, PostgresPool } from './postgres.js';
export { type PostgresCopy, type PostgresCopyOptions, postgresCopy } from './postgres-copy.js';
export { type PostgresCursor, type PostgresCursorOptions, postgresCursor } from './postgres-cursor.js';
