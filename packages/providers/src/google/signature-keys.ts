import type { KeyObject } from 'node:crypto';
import { MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { fetchJson } from '../cloud/index.js';
import { isObject } from '../payload/index.js';
import { publicKeyOf } from './signature-key.js';

const FRESH_MS = 6 * MS_PER_HOUR;
/** Minimum time between fetches for unknown keys, so that forged key IDs cause no requests. */
const PAUSE_MS = MS_PER_MINUTE;
const MAX_BYTES = 262_144;
const TIMEOUT_MS = 5_000;

interface Keyset {
  keys: ReadonlyMap<number, KeyObject>;
  fetchedMs: number;
}

/** The vendor's public keys for notifications. They rotate about monthly; several are valid at a time. */
export class SignatureKeys {
  private readonly sets = new Map<string, Keyset>();
  private readonly triedMs = new Map<string, number>();
  private readonly fetching = new Map<string, Promise<void>>();

  /** @param now clock in milliseconds */
  constructor(private readonly now: () => number = Date.now) {}

  /**
   * Returns the enabled key with this ID; undefined if the vendor has no such key.
   * @throws VendorError if no keys are cached and the fetch fails
   */
  async find(address: string | undefined, keyId: number): Promise<KeyObject | undefined> {
    const keyAddress = address ?? '';
    const set = this.sets.get(keyAddress);
    const isFresh = set !== undefined && this.now() - set.fetchedMs < FRESH_MS;
    if (!isFresh || !set.keys.has(keyId)) await this.refresh(keyAddress, set);
    return this.sets.get(keyAddress)?.keys.get(keyId);
  }

  private async refresh(address: string, set: Keyset | undefined): Promise<void> {
    const triedMs = this.triedMs.get(address);
    if (set !== undefined && triedMs !== undefined && this.now() - triedMs < PAUSE_MS) return;
    const fetching = this.fetching.get(address) ?? this.fetch(address);
    this.fetching.set(address, fetching);
    try {
      await fetching;
    } catch (error) {
      // Uses cached keys while the vendor's page is unavailable.
      if (set === undefined) throw error;
    } finally {
      this.fetching.delete(address);
    }
  }

  private async fetch(address: string): Promise<void> {
    this.triedMs.set(address, this.now());
    const body = await fetchJson({ address, maxResponseBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
    this.sets.set(address, { keys: readKeyset(body), fetchedMs: this.now() });
  }
}

function readKeyset(body: unknown): Map<number, KeyObject> {
  const keys = new Map<number, KeyObject>();
  const entries = isObject(body) && Array.isArray(body.key) ? body.key : [];
  for (const entry of entries) {
    if (!isObject(entry) || entry.status !== 'ENABLED' || !isObject(entry.keyData)) continue;
    const { value } = entry.keyData;
    const key = typeof value === 'string' ? publicKeyOf(Buffer.from(value, 'base64')) : undefined;
    if (key !== undefined && typeof entry.keyId === 'number') keys.set(entry.keyId, key);
  }
  return keys;
}
