import type { AuditRow } from '../audit/index.js';
import { addressKey } from '../platform/address-key.js';

/** Maximum number of counted rejection types. Above it, the counts are written early. */
const MAX_KINDS = 10_000;

/**
 * Counts rejections of unauthenticated callers by route, status and IP address (for IPv6, the network), so that
 * repeated attempts do not fill the audit trail. The first rejection of a type is recorded separately and immediately.
 */
export class RejectionCounts {
  readonly #kinds = new Map<string, { first: AuditRow; repeated: AuditRow | undefined }>();

  get isFull(): boolean {
    return this.#kinds.size >= MAX_KINDS;
  }

  /** Counts a rejection. Returns true for the first rejection of its type, which the caller records immediately. */
  isFirst(rejection: AuditRow): boolean {
    const network = addressKey(rejection.address ?? '');
    const kind = `${rejection.route} ${rejection.status} ${network}`;
    const known = this.#kinds.get(kind);
    if (!known) {
      this.#kinds.set(kind, { first: rejection, repeated: undefined });
      return true;
    }
    const before = known.repeated ?? { ...known.first, occurrences: 0 };
    known.repeated = {
      ...rejection,
      requestId: null,
      // Clears fields that differ between the rejections.
      userId: before.userId === rejection.userId ? rejection.userId : null,
      address: before.address === rejection.address ? rejection.address : network,
      occurrences: before.occurrences + 1,
    };
    return false;
  }

  /** Returns one record per repeated type and resets the counts. */
  take(): AuditRow[] {
    const rows = [...this.#kinds.values()].flatMap(({ repeated }) => repeated ?? []);
    this.#kinds.clear();
    return rows;
  }
}
