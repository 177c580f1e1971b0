/** Reasons for vendor requests, most urgent first. The order applies when the application's quota is short. */
export const REQUEST_PRIORITIES = ['manual', 'first_sync', 'webhook', 'live', 'backfill'] as const;
export type RequestPriority = (typeof REQUEST_PRIORITIES)[number];

/** Share of a burst that each priority reserves for higher priorities. */
const RESERVED_PER_PRIORITY = 0.15;

/** Returns the share of a bucket that requests of this priority must not use, 0 to 1. */
export function reservedShare(priority: RequestPriority): number {
  return REQUEST_PRIORITIES.indexOf(priority) * RESERVED_PER_PRIORITY;
}
