import { z } from 'zod';
import { isObject, numberOf, type PayloadObject } from './payload-values.js';

/** Members of a payload as they were read. Each is optional. */
export type PayloadOf<T extends z.core.$ZodType> =
  T extends z.ZodObject<infer Shape> ? { -readonly [Name in keyof Shape]?: PayloadOf<Shape[Name]> } : z.output<T>;

/**
 * Reads the members that a type declares. A member that is missing, null or an empty text has no value. An unreadable
 * member is dropped and counted without affecting the others. Vendors write some numbers as text, and some names with
 * hyphens instead of underscores.
 * @param count receives the path of an unreadable member
 */
export function readPayload<Shape extends z.ZodRawShape>(
  type: z.ZodObject<Shape>,
  payload: PayloadObject,
  count: (field: string) => void,
): PayloadOf<z.ZodObject<Shape>> {
  return membersOf(type, payload, count) as PayloadOf<z.ZodObject<Shape>>;
}

interface Member {
  name: string;
  /** The name with hyphens; undefined if it is the same. */
  hyphenated: string | undefined;
  type: z.core.$ZodType;
  /** True for any finite number. An activity has up to a million numbers, so zod is bypassed. */
  isPlainNumber: boolean;
}

const known = new WeakMap<z.ZodObject, readonly Member[]>();

function declaredMembers(type: z.ZodObject): readonly Member[] {
  const found = known.get(type);
  if (found) return found;
  const members = Object.entries(type.shape).map(([name, member]): Member => {
    const isPlainNumber = member instanceof z.ZodNumber && (member.def.checks ?? []).length === 0;
    const hyphenated = name.includes('_') ? name.replaceAll('_', '-') : undefined;
    return { name, hyphenated, type: member, isPlainNumber };
  });
  known.set(type, members);
  return members;
}

function membersOf(type: z.ZodObject, payload: PayloadObject, count: (field: string) => void): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const { name, hyphenated, type: member, isPlainNumber } of declaredMembers(type)) {
    const value = payload[name] ?? (hyphenated === undefined ? undefined : payload[hyphenated]);
    if (value === undefined || value === null || value === '') continue;
    if (isPlainNumber && Number.isFinite(value)) {
      members[name] = value;
    } else if (member instanceof z.ZodObject) {
      if (isObject(value)) members[name] = membersOf(member, value, (field) => count(`${name}.${field}`));
      else count(name);
    } else {
      const asIs = z.safeParse(member, value);
      const read = asIs.success ? asIs : z.safeParse(member, numberOf(value));
      if (read.success) members[name] = read.data;
      else count(name);
    }
  }
  return members;
}
