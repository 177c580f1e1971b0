import type { AuditEvent } from '@healthd/schemas';

/**
 * Whether the record leads to the receipt of an erasure. A deletion that failed erased nothing, except with 503: then the
 * ledger alone could not be written.
 */
export function hasReceipt({
  resource,
  resource_id,
  outcome,
  status,
}: Pick<AuditEvent, 'resource' | 'resource_id' | 'outcome' | 'status'>): boolean {
  return resource === 'user' && resource_id !== null && (outcome === 'success' || status === 503);
}
