/** What a vendor may write where something else is expected; undefined leaves the member out. */
const ODD_VALUES: readonly unknown[] = [undefined, null, '', 'odd', 0, -1, 1e308, true, [], { odd: null }];
/** Of lists and maps by times so many entries are looked at. */
const ENTRIES = 1;

/** An item with one odd member, in several ways. */
interface OddVersions {
  /** Where the member is, e.g. `samples.0.heart_rate`. */
  member: string;
  versions: unknown[];
}

/** All that may be odd about an item, member by member, and the item itself. */
export function oddVersions(item: unknown): OddVersions[] {
  const versionsOf = (path: readonly string[]): OddVersions => ({
    member: path.join('.'),
    versions: ODD_VALUES.map((value) => withMember(item, path, value)).filter((one) => one !== undefined),
  });
  return [versionsOf([]), ...pathsOf(item).map(versionsOf)];
}

/** Values that no member of a vendor's record can have, and a text. */
const UNREADABLE: readonly unknown[] = ['odd', true, [], { odd: 1 }];

/**
 * An item with one member that cannot be understood, in several ways.
 * @param texts members that may have any text
 */
export function unreadableVersions(item: unknown, texts: readonly string[]): { member: string; version: unknown }[] {
  return pathsOf(item).flatMap((path) => {
    const member = path.join('.');
    const given = path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], item);
    const isSameKind = (odd: unknown) =>
      typeof odd === 'object' && typeof given === 'object' && Array.isArray(odd) === Array.isArray(given);
    return UNREADABLE.filter(
      (odd) =>
        !isSameKind(odd) &&
        typeof odd !== (typeof given === 'boolean' ? 'boolean' : '') &&
        !(odd === 'odd' && texts.includes(member)),
    ).map((odd) => ({ member, version: withMember(item, path, odd) }));
  });
}

/**
 * Members of an item whose unreadable values change what is stored, and are not counted.
 * @param texts members that may have any text
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
