import { type AuditAction, type AuditActorType, type AuditOutcome, listAuditEvents } from '@healthd/contract';
import type { AuditEvent } from '@healthd/schemas';
import { daysAgo } from '../format.js';
import { readPages } from '../read-pages.js';
import { client } from '../session.js';
import { queryKeys } from './query-keys.js';
import { usePages } from './use-pages.js';

/** Which records are listed; members left out do not limit the list. */
export interface AuditFilter {
  user_id?: string | undefined;
  actor_type?: AuditActorType | undefined;
  action?: AuditAction | undefined;
  outcome?: AuditOutcome | undefined;
  /** Only records of so many days, today included, by the calendar of UTC. */
  days?: number | undefined;
}

/** The route gives no more. */
const LARGEST_PAGE = 1000;

/** Who did what to whose data, newest first, page by page. */
export function useAudit(filter: AuditFilter) {
  return usePages(queryKeys.audit(filter), (page, signal) =>
    client.call(listAuditEvents, { query: { ...auditQueryOf(filter), ...page }, signal }),
  );
}

/** All records of a filter, newest first. */
export function readAudit(filter: AuditFilter, signal: AbortSignal): AsyncIterable<readonly AuditEvent[]> {
  return readPages((cursor) =>
    client.call(listAuditEvents, { query: { ...auditQueryOf(filter), cursor, limit: LARGEST_PAGE }, signal }),
  );
}

/** What the service is asked for by a filter. */
export function auditQueryOf({ days, ...filter }: AuditFilter) {
  return { ...filter, from: days === undefined ? undefined : daysAgo(days - 1) };
}
