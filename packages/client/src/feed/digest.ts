import { canonicalRow, digestMessage } from '@healthd/model';
import type { SnapshotRow } from './snapshot-lines.js';

/** Identifies the rows that one digest covers: a local day, a kind, for samples a series type, and a provider. */
export interface DigestGroup {
  day: string;
  kind: string;
  /** Series type of samples; null for other kinds. */
  type: string | null;
  provider: string;
}

/** Digest of a group of rows. */
export interface CopyDigest extends DigestGroup {
  rows: number;
  /** HMAC-SHA-256 in lower-case hexadecimal. */
  digest: string;
}

/** Computes the digests of one user's rows. The order of the rows does not matter. */
export class DigestBuilder {
  readonly #key: ReturnType<typeof crypto.subtle.importKey>;
  readonly #groups = new Map<string, { group: DigestGroup; rows: Uint8Array[] }>();

  /** @param digestKey `digest_key` of the snapshot, in hexadecimal */
  constructor(digestKey: string) {
    this.#key = crypto.subtle.importKey('raw', bytesOfHex(digestKey), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
    ]);
  }

  add(row: Omit<SnapshotRow, 'id'>): void {
    const { day, kind, provider } = row;
    const group = { day, kind, type: kind === 'samples' ? row.type : null, provider };
    const name = groupName(group);
    const found = this.#groups.get(name);
    if (found) found.rows.push(canonicalRow(row));
    else this.#groups.set(name, { group, rows: [canonicalRow(row)] });
  }

  /** Returns one digest for each group, in the order of the service: by day, kind, type and provider. */
  async digests(): Promise<CopyDigest[]> {
    const key = await this.#key;
    const digests: CopyDigest[] = [];
    for (const name of [...this.#groups.keys()].sort()) {
      const { group, rows } = this.#groups.get(name) as { group: DigestGroup; rows: Uint8Array[] };
      const signature = await crypto.subtle.sign('HMAC', key, digestMessage(rows) as Uint8Array<ArrayBuffer>);
      digests.push({ ...group, rows: rows.length, digest: hexOf(new Uint8Array(signature)) });
    }
    return digests;
  }
}

/** Returns a text that is equal for equal groups. */
export function groupName({ day, kind, type, provider }: DigestGroup): string {
  return `${day} ${kind} ${type ?? ''} ${provider}`;
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new TypeError('The digest key is not hexadecimal');
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
