/**
 * Lists where two examples differ in their members or value types. Null, empty lists and empty dictionaries match
 * everything. Lists are compared by their first items.
 */
export function differences(stored: unknown, fresh: unknown, at: string): string[] {
  if (isMissing(stored) || isMissing(fresh)) return [];
  if (Array.isArray(stored) && Array.isArray(fresh)) return differences(stored[0], fresh[0], `${at}[0]`);
  if (typeof stored !== typeof fresh || Array.isArray(stored) !== Array.isArray(fresh)) {
    return [`${at} is ${kindOf(fresh)} and was ${kindOf(stored)}`];
  }
  if (typeof stored !== 'object') return [];
  const [old, now] = [stored, fresh] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    if (!Object.hasOwn(now, name)) return [`${at}.${name} is gone`];
    if (!Object.hasOwn(old, name)) return [`${at}.${name} is new`];
    return differences(old[name], now[name], `${at}.${name}`);
  });
}

function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : typeof value;
}
