/** Maximum number of list members in one message. Cloning a message blocks the thread that sends or receives it. */
const MEMBERS_PER_PORTION = 1_000;

/** Items of one list of a value, or the value itself with its long lists emptied. */
export interface Portion {
  /** Keys from the value to the list; empty for the value itself. */
  path: readonly (string | number)[];
  items: readonly unknown[];
}

/**
 * Splits a value into portions that are sent as separate messages: first the value without the items of its long lists,
 * then the items. Portions of one list are in order. Lists in maps, sets and class instances are not split. An object
 * that occurs twice becomes two objects.
 */
export function* portionsOf(value: unknown): Generator<Portion, void> {
  const lists: { path: Portion['path']; list: readonly unknown[] }[] = [];
  const withoutLongLists = (part: unknown, path: Portion['path']): unknown => {
    if (Array.isArray(part)) {
      if (!isLong(part)) return part;
      lists.push({ path, list: part });
      return [];
    }
    if (!isPlain(part)) return part;
    const entries = Object.entries(part);
    return Object.fromEntries(entries.map(([key, member]) => [key, withoutLongLists(member, [...path, key])]));
  };
  yield { path: [], items: [withoutLongLists(value, [])] };
  // The loop also visits the lists that it finds in members of long lists.
  for (const { path, list } of lists) {
    let items: unknown[] = [];
    let members = 0;
    for (const [index, item] of list.entries()) {
      const size = sizeOf(item);
      if (items.length > 0 && members + size > MEMBERS_PER_PORTION) {
        yield { path, items };
        [items, members] = [[], 0];
      }
      items.push(size > MEMBERS_PER_PORTION ? withoutLongLists(item, [...path, index]) : item);
      members += size;
    }
    yield { path, items };
  }
}

function isLong(list: readonly unknown[]): boolean {
  if (list.length > MEMBERS_PER_PORTION) return true;
  let size = 0;
  for (const item of list) size += sizeOf(item);
  return size > MEMBERS_PER_PORTION;
}

/** Counts an item and the members of its lists. */
function sizeOf(item: unknown): number {
  if (Array.isArray(item)) return 1 + item.length;
  if (!isPlain(item)) return 1;
  let size = 1;
  for (const key in item) {
    const member = item[key];
    if (Array.isArray(member)) size += member.length;
  }
  return size;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** A value that arrives in portions. */
export class PortionedValue {
  #value: unknown;

  add({ path, items }: Portion): void {
    if (path.length === 0) {
      this.#value = items[0];
      return;
    }
    let list = this.#value as Record<string | number, unknown>;
    for (const key of path) list = list[key] as Record<string | number, unknown>;
    for (const item of items) (list as unknown as unknown[]).push(item);
  }

  /** Returns the complete value and releases it. */
  take(): unknown {
    const value = this.#value;
    this.#value = undefined;
    return value;
  }
}
