import { z } from 'zod';
import { numberOf, type PayloadObject } from './payload-values.js';

/** Members of a payload as they were read. Any of them may be missing. */
export type PayloadOf<T extends z.core.$ZodType> =
  T extends z.ZodObject<infer Shape> ? { -readonly [Name in keyof Shape]?: PayloadOf<Shape[Name]> } : z.output<T>;

/**
 * Reads the members that a type declares. A member that is missing, null or an empty text has no value. A member that cannot be
 * read is left out and counted, and costs no other member. Vendors write some numbers as text.
 * @param count takes the path of a member that cannot be read
 */
export function readPayload<Shape extends z.ZodRawShape>(
  type: z.ZodObject<Shape>,
  payload: PayloadObject,
  count: (field: string) => void,
): PayloadOf<z.ZodObject<Shape>> {
  return membersOf(type, payload, count) as PayloadOf<z.ZodObject<Shape>>;
}

function membersOf(type: z.ZodObject, payload: PayloadObject, count: (field: string) => void): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(type.shape)) {
    const value = payload[name];
    if (value === undefined || value === null || value === '') continue;
    if (member instanceof z.ZodObject) {
      if (typeof value === 'object' && !Array.isArray(value)) {
        members[name] = membersOf(member, value as PayloadObject, (field) => count(`${name}.${field}`));
      } else count(name);
      continue;
    }
    const asIs = z.safeParse(member, value);
    const read = asIs.success ? asIs : z.safeParse(member, numberOf(value));
    if (read.success) members[name] = read.data;
    else count(name);
  }
  return members;
}
