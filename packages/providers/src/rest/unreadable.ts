import { isObject, numberOf, type PayloadObject } from '../payload/index.js';
import { instantMs, offsetOf } from './placed-record.js';

/** A kind of value, or the pattern that a text must have. */
export type MemberKind = 'number' | 'text' | 'boolean' | 'object' | 'list' | 'instant' | 'offset' | RegExp;

/** Members that an adapter reads, by their name. A dot leads into an object: `score.strain`. */
export type ReadMembers = Readonly<Record<string, MemberKind>>;

/** Counts a fault of one member. */
export type CountFault = (field: string) => void;

/**
 * Counts the members of a record that are there and cannot be understood. The record is stored without them, so that
 * the count is their only trace. A member that is missing, null or an empty text is not a fault: it has no value.
 */
export function countUnreadable(record: PayloadObject, members: ReadMembers, count: CountFault): void {
  for (const [path, kind] of Object.entries(members)) {
    const value = valueAt(record, path);
    if (value === undefined || value === null || value === '') continue;
    if (!isReadable(value, kind)) count(path);
  }
}

/** The members of these names, all of one kind. */
export function membersOf(kind: MemberKind, names: readonly string[]): ReadMembers {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

/** Some vendors write a name with hyphens where they write another one with underscores. */
function valueAt(record: PayloadObject, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) ? (value[name] ?? value[name.replaceAll('_', '-')]) : undefined),
      record,
    );
}

function isReadable(value: unknown, kind: MemberKind): boolean {
  if (typeof kind !== 'string') return typeof value === 'string' && kind.test(value);
  switch (kind) {
    case 'number':
      return numberOf(value) !== undefined;
    case 'text':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'object':
      return isObject(value);
    case 'list':
      return Array.isArray(value);
    case 'instant':
      return !Number.isNaN(instantMs(value));
    case 'offset':
      return offsetOf(value) !== undefined;
  }
}
