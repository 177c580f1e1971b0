import { createHmac } from 'node:crypto';
import { canonicalRow, type DigestedRow, digestMessage } from '@healthd/model';
import type { Change, DigestItem } from '@healthd/schemas';

/** A row of a snapshot. */
export interface CopiedRow extends DigestedRow {
  kind: string;
  day: string;
  provider: string;
  id: string;
}

export interface SnapshotLines {
  position: number;
  cursor: string;
  after: string;
  digestKey: string;
  rows: CopiedRow[];
}

/** Parses a snapshot. @throws Error if it is incomplete */
export function snapshotOf(text: string): SnapshotLines {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const [head, ...others] = lines;
  const end = others.pop();
  const rows = others.filter(({ kind }) => kind !== 'source') as CopiedRow[];
  if (end?.kind !== 'end' || end.rows !== rows.length) throw new Error('the snapshot is incomplete');
  return { ...head, digestKey: head.digest_key, rows };
}

export interface DaysToReplace {
  kind: string;
  type?: string | undefined;
  from: string;
  to: string;
}

/** A copy of one user's data, updated according to docs/feed.md. */
export class FeedCopy {
  position: number;
  readonly #rows = new Map<string, CopiedRow>();

  constructor({ position, rows }: SnapshotLines) {
    this.position = position;
    this.#add(rows);
  }

  get rows(): CopiedRow[] {
    return [...this.#rows.values()];
  }

  /**
   * Applies a change.
   * @param read returns the current rows of days
   */
  async apply(change: Change, read: (days: DaysToReplace) => Promise<CopiedRow[]>): Promise<void> {
    if (change.position === null || change.position <= this.position) return;
    if (change.position !== this.position + 1) throw new Error(`position ${change.position} after ${this.position}`);
    if (change.kind !== 'summary') {
      for (const { from, to } of change.days ?? []) {
        const days = { kind: change.kind, type: change.type, from, to };
        this.replace(days, await read(days));
      }
    }
    this.position = change.position;
  }

  replace({ kind, type, from, to }: DaysToReplace, rows: readonly CopiedRow[]): void {
    for (const [key, row] of this.#rows) {
      const isReplaced =
        row.kind === kind && (type === undefined || row.type === type) && from <= row.day && row.day <= to;
      if (isReplaced) this.#rows.delete(key);
    }
    this.#add(rows);
  }

  #add(rows: readonly CopiedRow[]): void {
    for (const row of rows) this.#rows.set(`${row.kind} ${row.id}`, row);
  }
}

/** Computes the digests of rows with the model's canonical form, without the code of the daemon. */
export function digestsOf(keyHex: string, rows: readonly CopiedRow[]): Map<string, { rows: number; digest: string }> {
  const groups = new Map<string, Uint8Array[]>();
  for (const row of rows) {
    const key = digestKey({ ...row, type: row.kind === 'samples' ? row.type : null });
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(canonicalRow(row));
  }
  const key = Buffer.from(keyHex, 'hex');
  return new Map(
    [...groups].map(([name, group]) => [
      name,
      { rows: group.length, digest: createHmac('sha256', key).update(digestMessage(group)).digest('hex') },
    ]),
  );
}

/** Returns the key of a digest: day, kind, type and provider. */
function digestKey({ day, kind, type, provider }: Pick<CopiedRow, 'day' | 'kind' | 'type' | 'provider'>): string {
  return `${day} ${kind} ${type ?? '-'} ${provider}`;
}

/**
 * Lists the digests that differ from a copy.
 * @param expired by series type, the date before which days cannot be compared
 */
export function differences(
  copied: ReadonlyMap<string, { rows: number; digest: string }>,
  items: readonly DigestItem[],
  expired: readonly { type: string; before: string }[] = [],
): string[] {
  const found = new Set<string>();
  const ignored = new Set<string>();
  const ends = new Map(expired.map(({ type, before }) => [type, before]));
  for (const item of items) {
    const key = digestKey(item);
    if (item.state !== 'current') ignored.add(key);
    else if (copied.get(key)?.digest !== item.digest || copied.get(key)?.rows !== item.rows) found.add(key);
  }
  const known = new Set(items.map(digestKey));
  for (const key of copied.keys()) {
    const [day = '', , type = ''] = key.split(' ');
    const isExpired = day < (ends.get(type) ?? '');
    if (!known.has(key) && !isExpired) found.add(key);
  }
  for (const key of ignored) found.delete(key);
  return [...found].sort();
}
