import type { SourceIdentity } from '@healthd/model';
import { isObject, type PayloadObject } from '../payload/index.js';

const KEPT = 4;

/**
 * The sources of the last items as they were sent. Items repeat theirs word for word, and comparing the words takes a
 * tenth of the time that reading them takes.
 */
export class RecentSources {
  private readonly entries: { sent: PayloadObject; members: number; source: SourceIdentity }[] = [];
  private next = 0;

  find(sent: PayloadObject): SourceIdentity | undefined {
    for (const entry of this.entries) if (isEqual(sent, entry.sent, entry.members)) return entry.source;
    return undefined;
  }

  keep(sent: PayloadObject, source: SourceIdentity): void {
    this.entries[this.next] = { sent, members: Object.keys(sent).length, source };
    this.next = (this.next + 1) % KEPT;
  }
}

/** Equal texts and numbers, and objects of equal texts and numbers. @param members how many `b` has */
function isEqual(a: PayloadObject, b: PayloadObject, members: number): boolean {
  let count = 0;
  for (const name in a) {
    count++;
    const own = a[name];
    const other = b[name];
    if (own === other) continue;
    if (!isObject(own) || !isObject(other) || !isEqual(own, other, Object.keys(other).length)) return false;
  }
  return count === members;
}
