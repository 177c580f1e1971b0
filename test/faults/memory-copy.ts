import { HealthdClient } from '@healthd/client';
import {
  type AgedDays,
  type ChangedDays,
  type CopyApi,
  type DigestApi,
  DigestBuilder,
  type HealthCopy,
  type Snapshot,
  type SnapshotRow,
  verifyCopy,
} from '@healthd/client/feed';
import { exportSnapshot, getDigest, listChanges, listUsers } from '@healthd/contract';

interface CopiedUser {
  position: number;
  keyId: string;
  digestKey: string;
  rows: (SnapshotRow & { isKept?: boolean })[];
}

/** A copy in memory, for tests that kill the service and not the receiver. */
export class MemoryCopy implements HealthCopy {
  readonly users = new Map<string, CopiedUser>();
  #startCursor: string | undefined;
  #cursor: string | undefined;
  #isComplete = false;
  /** Users who were replaced since {@link begin}. */
  readonly #replaced = new Set<string>();

  cursors = {
    load: async () => (this.#isComplete ? this.#cursor : undefined),
    save: async (cursor: string) => {
      this.#cursor = cursor;
    },
  };

  async begin(cursor: string): Promise<void> {
    this.#startCursor = cursor;
    this.#isComplete = false;
    this.#replaced.clear();
  }

  async unfinished(): Promise<string | undefined> {
    return this.#isComplete ? undefined : this.#startCursor;
  }

  async isCopied(userId: string): Promise<boolean> {
    return this.#replaced.has(userId);
  }

  async complete(): Promise<void> {
    for (const id of this.users.keys()) if (!this.#replaced.has(id)) this.users.delete(id);
    this.#cursor = this.#startCursor;
    this.#isComplete = true;
  }

  async replaceUser(userId: string, read: () => Promise<Snapshot>): Promise<void> {
    const { head, lines } = await read();
    const snapshot = await rowsOf(lines);
    const kept = this.users.get(userId)?.rows.filter(({ isKept }) => isKept) ?? [];
    const rows = [...kept.filter(({ id }) => !snapshot.some((row) => row.id === id)), ...snapshot];
    this.users.set(userId, { position: head.position, keyId: head.key_id, digestKey: head.digest_key, rows });
    this.#replaced.add(userId);
  }

  async replaceDays(
    userId: string,
    position: number,
    changed: readonly ChangedDays[],
    read: (days: ChangedDays) => Promise<Snapshot>,
    aged: readonly AgedDays[] = [],
  ): Promise<boolean> {
    const user = this.users.get(userId);
    if (!user) return false;
    if (user.position >= position) return true;
    let { rows } = user;
    for (const { type, from, to, do: act } of aged) {
      const isAged = (row: SnapshotRow) =>
        row.kind === 'samples' && row.type === type && from <= row.day && row.day <= to;
      rows =
        act === 'keep'
          ? rows.map((row) => (isAged(row) ? { ...row, isKept: true } : row))
          : rows.filter((row) => !isAged(row));
    }
    for (const days of changed) {
      const isReplaced = ({ kind, type, day, isKept }: CopiedUser['rows'][number]) =>
        !isKept &&
        days.kinds.includes(kind) &&
        (kind !== 'samples' || days.types.includes(type ?? '')) &&
        days.from <= day &&
        day <= days.to;
      const { lines } = await read(days);
      const snapshot = await rowsOf(lines);
      const isRead = ({ kind, id }: SnapshotRow) => snapshot.some((row) => row.kind === kind && row.id === id);
      rows = [...rows.filter((row) => !isReplaced(row) && !(row.isKept && isRead(row))), ...snapshot];
    }
    this.users.set(userId, { ...user, rows, position });
    return true;
  }

  async deleteUser(userId: string): Promise<void> {
    this.users.delete(userId);
  }
}

async function rowsOf(lines: Snapshot['lines']): Promise<SnapshotRow[]> {
  const rows: SnapshotRow[] = [];
  for await (const line of lines) if (line.kind !== 'source') rows.push(line);
  return rows;
}

/** Compares the copy of a user with the service. */
export async function verify(client: DigestApi, copy: MemoryCopy, userId: string) {
  const { position, keyId, digestKey, rows } = copy.users.get(userId) as CopiedUser;
  const days = rows.map(({ day }) => day).sort();
  const { state, differences } = await verifyCopy(client, {
    userId,
    position,
    keyId,
    stored: days.length === 0 ? undefined : { from: days[0] as string, to: days.at(-1) as string },
    digests: async ({ from, to }) => {
      const builder = new DigestBuilder(digestKey);
      for (const row of rows) if (!row.isKept && from <= row.day && row.day <= to) builder.add(row);
      return builder.digests();
    },
  });
  return { state, differences };
}

/** Returns a client whose calls find the service's port after each restart. */
export function apiOf(url: () => string | undefined, { 'Content-Type': _, ...headers }: Record<string, string>) {
  const client = () =>
    // An unused port stands for a service that is down.
    new HealthdClient({ baseUrl: url() ?? 'http://127.0.0.1:9', authorize: async () => headers });
  return {
    listChanges: (input: object) => client().call(listChanges, input),
    listUsers: (input: object) => client().call(listUsers, input),
    exportSnapshot: (input: Parameters<CopyApi['exportSnapshot']>[0]) => client().send(exportSnapshot, input),
    getDigest: (input: Parameters<DigestApi['getDigest']>[0]) => client().call(getDigest, input),
  } as CopyApi & DigestApi;
}
