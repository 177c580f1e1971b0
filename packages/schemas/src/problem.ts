import { z } from 'zod';

/** Validation error types. */
export const PROBLEM_TYPES = [
  'missing',
  'uuid_parsing',
  'int_parsing',
  'float_parsing',
  'bool_parsing',
  'string_type',
  'enum',
  'greater_than_equal',
  'less_than_equal',
  'string_too_short',
  'string_too_long',
  'string_pattern_mismatch',
  'datetime_parsing',
  'json_invalid',
  'extra_forbidden',
  'value_error',
] as const;
export type ProblemType = (typeof PROBLEM_TYPES)[number];

/** One validation error. `loc` starts with path, query, header or body. */
export const problemSchema = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    type: z.string(),
    input: z.unknown().optional(),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationProblem' });
export type Problem = z.infer<typeof problemSchema>;

/** Body of a 422. */
export const validationErrorSchema = z.object({ detail: z.array(problemSchema) }).meta({ id: 'ValidationError' });

/** Body of other errors. */
export const errorSchema = z.object({ detail: z.string() }).meta({ id: 'Error' });

/** Body of a 400 in compat mode: the first error as text. Invalid requests also list all errors. */
export const compatErrorSchema = z
  .object({ detail: z.string(), errors: z.array(problemSchema).optional() })
  .meta({ id: 'CompatError' });

/** Body of a 500. */
export const unexpectedErrorSchema = z
  .object({ detail: z.string(), request_id: z.string() })
  .meta({ id: 'UnexpectedError' });

/** Reports an invalid value from inside a schema, with the contract's error type. */
export function problem(
  context: { issues: unknown[]; value: unknown },
  type: ProblemType,
  message: string,
  ctx?: Record<string, unknown>,
): never {
  context.issues.push({ code: 'custom', message, input: context.value, params: { type, ctx } });
  return z.NEVER;
}

/** Formats allowed values for an error message: `'a', 'b' or 'c'`. */
export function alternatives(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
