import type { AuditEvent } from '@healthd/schemas';

/**
 * True if the record has an erasure receipt. A failed deletion erased nothing and has no receipt. The exception is
 * status 503: the deletion succeeded, and only the write to the ledger failed.
 */
export function hasReceipt({
  resource,
  resource_id,
  outcome,
  status,
}: Pick<AuditEvent, 'resource' | 'resource_id' | 'outcome' | 'status'>): boolean {
  return resource === 'user' && resource_id !== null && (outcome === 'success' || status === 503);
}
