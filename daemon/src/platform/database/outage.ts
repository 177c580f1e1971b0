import { ConnectionError } from 'sequelize';

/** Database failure that is unrelated to the query. */
export type Outage = 'away' | 'disk_full';

/**
 * SQLSTATE classes of an unavailable database: connections, resources, server shutdown and startup, and a server that
 * is read-only after a failover.
 */
const AWAY_STATES = /^(08|53|57P|25006)/;
const DISK_FULL = '53100';
/** System error codes of a failed connection to the server's port or socket. */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Messages of the driver's own errors, which have no codes. */
const AWAY_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed)|Cannot use a pool after)/;

/** Returns the outage that an error reports; undefined for all other errors. */
export function outageOf(error: unknown): Outage | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ConnectionError) return 'away';
  // Sequelize keeps the driver's error in `parent`.
  const { code, syscall, parent } = error as { code?: unknown; syscall?: unknown; parent?: unknown };
  if (parent !== undefined) return outageOf(parent);
  if (typeof code !== 'string') return AWAY_MESSAGES.test(error.message) ? 'away' : undefined;
  if (code === DISK_FULL) return 'disk_full';
  const isAway = AWAY_STATES.test(code) || AWAY_CODES.has(code) || (code === 'ENOENT' && syscall === 'connect');
  return isAway ? 'away' : undefined;
}
