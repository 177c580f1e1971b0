import type { z } from 'zod';

/** Maximum depth of the search for infinite numbers. No request schema is deeper, but the input may be. */
const DEEPEST = 32;

/**
 * Validates a value that was parsed from JSON. JSON's parser turns `1e400` into infinity, which no schema accepts as a
 * number. Replaces infinity with the largest number, so that the error names the violated bound.
 */
export function parseFinite(schema: z.ZodType, value: unknown): z.ZodSafeParseResult<unknown> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success || !result.error.issues.some(({ input }) => isInfinite(input))) return result;
  const bounded = schema.safeParse(finite(value), { reportInput: true });
  return bounded.success ? result : bounded;
}

function isInfinite(value: unknown): value is number {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

function finite(value: unknown, depth = 0): unknown {
  if (isInfinite(value)) return Math.sign(value) * Number.MAX_VALUE;
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => finite(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, finite(member, depth + 1)]));
}
