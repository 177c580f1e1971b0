import { type AuditAction, type AuditActorType, type AuditOutcome, listAuditEvents } from '@healthd/contract';
import type { AuditEvent } from '@healthd/schemas';
import { daysAgo } from '../format.js';
import { readPages } from '../read-pages.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';
import { usePages } from './use-pages.js';

/** Audit filters. Omitted members do not filter. */
export interface AuditFilter {
  user_id?: string | undefined;
  actor_type?: AuditActorType | undefined;
  action?: AuditAction | undefined;
  outcome?: AuditOutcome | undefined;
  /** Number of UTC days to include, counting today. */
  days?: number | undefined;
}

/** Maximum page size of the route. */
const LARGEST_PAGE = 1000;

/** Returns audit records, newest first, in pages. */
export function useAudit(filter: AuditFilter) {
  return usePages(queryKeys.audit(filter), (page, signal) =>
    client.call(listAuditEvents, { query: { ...auditQueryOf(filter), ...page }, signal }),
  );
}

/** Reads all records that match a filter, newest first. */
export function readAudit(filter: AuditFilter, signal: AbortSignal): AsyncIterable<readonly AuditEvent[]> {
  return readPages((cursor) =>
    client.call(listAuditEvents, { query: { ...auditQueryOf(filter), cursor, limit: LARGEST_PAGE }, signal }),
  );
}

/** Converts a filter to query parameters. */
export function auditQueryOf({ days, ...filter }: AuditFilter) {
  return { ...filter, from: days === undefined ? undefined : daysAgo(days - 1) };
}
