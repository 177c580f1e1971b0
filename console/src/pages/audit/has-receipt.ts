import type { AuditEvent } from '@healthd/schemas';

/**
 * True if the record has an erasure receipt. A failed deletion erased nothing, except with 503: then only the ledger
 * write failed.
 */
export function hasReceipt({
  resource,
  resource_id,
  outcome,
  status,
}: Pick<AuditEvent, 'resource' | 'resource_id' | 'outcome' | 'status'>): boolean {
  return resource === 'user' && resource_id !== null && (outcome === 'success' || status === 503);
}
