import type { AuditRow } from '../audit/index.js';
import { addressKey } from '../platform/address-key.js';

/** Kinds of refusals that are counted at a time; more than these are written early. */
const MAX_KINDS = 10_000;

/**
 * Counts what callers without a credential were refused, by route, status and address (of IPv6 the network), so that
 * repeated attempts do not fill the audit trail. The first of a kind is recorded by itself and immediately.
 */
export class RefusalCounts {
  readonly #kinds = new Map<string, { first: AuditRow; repeated: AuditRow | undefined }>();

  get isFull(): boolean {
    return this.#kinds.size >= MAX_KINDS;
  }

  /** Whether nothing of its kind has been counted yet; else it is counted with that. */
  isFirst(refusal: AuditRow): boolean {
    const network = addressKey(refusal.address ?? '');
    const kind = `${refusal.route} ${refusal.status} ${network}`;
    const known = this.#kinds.get(kind);
    if (!known) {
      this.#kinds.set(kind, { first: refusal, repeated: undefined });
      return true;
    }
    const before = known.repeated ?? { ...known.first, occurrences: 0 };
    known.repeated = {
      ...refusal,
      requestId: null,
      // What was not the same each time is left out.
      userId: before.userId === refusal.userId ? refusal.userId : null,
      address: before.address === refusal.address ? refusal.address : network,
      occurrences: before.occurrences + 1,
    };
    return false;
  }

  /** One record for each kind that came again, and begins again. */
  take(): AuditRow[] {
    const rows = [...this.#kinds.values()].flatMap(({ repeated }) => repeated ?? []);
    this.#kinds.clear();
    return rows;
  }
}
