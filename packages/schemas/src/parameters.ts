import { z } from 'zod';
import { problem } from './problem.js';

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Returns the lower-case, dashed form of a UUID with or without dashes; undefined if invalid. */
export function normalizeUuid(text: string): string | undefined {
  if (!UUID.test(text)) return undefined;
  const hex = text.replaceAll('-', '').toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** UUID in a path or query, in upper or lower case, with or without dashes. */
export const uuidParam = z
  .string()
  .meta({ format: 'uuid' })
  .transform((text, context) => {
    const uuid = normalizeUuid(text);
    return uuid ?? problem(context, 'uuid_parsing', 'Input should be a valid UUID', { error: uuidFault(text) });
  });

/** Integer in a query. Bounds are inclusive. */
export function intParam<L extends { min?: number; max?: number; default?: number }>(
  limits: L,
): z.ZodType<L extends { default: number } ? number : number | undefined, string | undefined> {
  // Limits numbers to safe integers, so that a larger number fails with only the bound's error.
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = limits;
  const meta = { type: 'integer', minimum: limits.min, maximum: limits.max, default: limits.default };
  return z
    .string()
    .meta(definedOnly(meta))
    .optional()
    .transform((text, context) => {
      if (text === undefined) return limits.default;
      if (!/^[+-]?\d+$/.test(text.trim())) {
        return problem(context, 'int_parsing', 'Input should be a valid integer, unable to parse string as an integer');
      }
      const value = Number(text);
      if (value < min) {
        return problem(context, 'greater_than_equal', `Input should be greater than or equal to ${min}`, { ge: min });
      }
      if (value > max) {
        return problem(context, 'less_than_equal', `Input should be less than or equal to ${max}`, { le: max });
      }
      return value;
    }) as never;
}

const TRUE = ['1', 'true', 't', 'yes', 'y', 'on'];
const FALSE = ['0', 'false', 'f', 'no', 'n', 'off'];

/** Boolean in a query, in every form that existing clients send. */
export function boolParam<F extends boolean | undefined>(
  fallback: F,
): z.ZodType<F extends boolean ? boolean : boolean | undefined, string | undefined> {
  return z
    .string()
    .meta(definedOnly({ type: 'boolean', default: fallback }))
    .optional()
    .transform((text, context): boolean | undefined => {
      if (text === undefined) return fallback;
      const word = text.toLowerCase();
      if (TRUE.includes(word)) return true;
      if (FALSE.includes(word)) return false;
      return problem(context, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input');
    }) as never;
}

/** Enum in a query. */
export function enumParam<const W extends readonly [string, ...string[]]>(
  words: W,
  fallback: W[number],
): z.ZodType<W[number], string | undefined> {
  return z
    .enum(words)
    .meta({ default: fallback })
    .optional()
    .transform((word) => word ?? fallback) as never;
}

const insistedOn = new WeakSet<object>();

/** Marks an optional parameter as required in the OpenAPI document if a rule over several parameters requires it. */
export function requiredParam<T extends z.ZodType>(schema: T): T {
  insistedOn.add(schema);
  return schema;
}

/** True if {@link requiredParam} marked the parameter. */
export function isRequired(schema: object): boolean {
  return insistedOn.has(schema);
}

const repeatable = new WeakSet<object>();

/** Query parameter that may be repeated. Parses to a list; undefined if absent. */
export function repeated<T extends z.ZodType>(item: T) {
  const schema = z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).optional(),
  );
  repeatable.add(schema);
  return schema;
}

/** True if a query parameter accepts several values. Otherwise the last value wins. */
export function isRepeated(schema: object): boolean {
  return repeatable.has(schema);
}

/** Path parameters of every route below a user. */
export const userParams = z.object({ user_id: uuidParam });

function uuidFault(text: string): string {
  const bad = /[^0-9a-f-]/i.exec(text);
  if (bad) return `invalid character: found \`${bad[0]}\` at ${bad.index + 1}`;
  return `invalid length: expected 32 hexadecimal digits, found ${text.replaceAll('-', '').length}`;
}

function definedOnly(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
