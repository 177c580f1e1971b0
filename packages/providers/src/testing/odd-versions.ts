/** Values that a vendor may write in place of the expected value. Undefined omits the member. */
const ODD_VALUES: readonly unknown[] = [undefined, null, '', 'odd', 0, -1, 1e308, true, [], { odd: null }];
/** Number of entries to check in lists and maps by time. */
const ENTRIES = 1;

/** Versions of an item with odd values of one member. */
interface OddVersions {
  /** Path of the member, e.g. `samples.0.heart_rate`. */
  member: string;
  versions: unknown[];
}

/** Returns odd versions of an item, member by member, and odd values in place of the item. */
export function oddVersions(item: unknown): OddVersions[] {
  const versionsOf = (path: readonly string[]): OddVersions => ({
    member: path.join('.'),
    versions: ODD_VALUES.map((value) => withMember(item, path, value)).filter((one) => one !== undefined),
  });
  return [versionsOf([]), ...pathsOf(item).map(versionsOf)];
}

/** Values of several types. {@link unreadableVersions} skips the values that a member may contain. */
const UNREADABLE: readonly unknown[] = ['odd', true, [], { odd: 1 }];

/**
 * Returns versions of an item with one unreadable member.
 * @param texts members that may contain any text
 */
export function unreadableVersions(item: unknown, texts: readonly string[]): { member: string; version: unknown }[] {
  return pathsOf(item).flatMap((path) => {
    const member = path.join('.');
    const original = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], item);
    const isSameKind = (odd: unknown) =>
      typeof odd === 'object' && typeof original === 'object' && Array.isArray(odd) === Array.isArray(original);
    return UNREADABLE.filter(
      (odd) =>
        !isSameKind(odd) &&
        typeof odd !== (typeof original === 'boolean' ? 'boolean' : '') &&
        !(odd === 'odd' && texts.includes(member)),
    ).map((odd) => ({ member, version: withMember(item, path, odd) }));
  });
}

/**
 * Returns an item's members whose unreadable values change the stored data without being counted.
 * @param texts members that may contain any text
 * @param read reads one item
 */
export function silentMembers(
  item: unknown,
  texts: readonly string[],
  read: (item: unknown) => { stored: unknown; rejected: number },
): string[] {
  const good = read(item);
  if (good.rejected > 0) throw new Error('the item itself has unreadable members');
  const silent = unreadableVersions(item, texts).filter(({ version }) => {
    const { stored, rejected } = read(version);
    return rejected === 0 && JSON.stringify(stored) !== JSON.stringify(good.stored);
  });
  return [...new Set(silent.map(({ member }) => member))];
}

function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Object.keys(value);
  const isMany = Array.isArray(value) || names.some((name) => name.includes(':'));
  return names.slice(0, isMany ? ENTRIES : names.length).flatMap((name) => {
    const at = [...path, name];
    return [at, ...pathsOf((value as Record<string, unknown>)[name], at)];
  });
}

function withMember(value: unknown, [name, ...rest]: readonly string[], odd: unknown): unknown {
  if (name === undefined) return odd;
  const copy = structuredClone(value) as Record<string, unknown>;
  const changed = withMember(copy[name], rest, odd);
  if (changed === undefined) delete copy[name];
  else copy[name] = changed;
  return copy;
}
