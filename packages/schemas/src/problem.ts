import { z } from 'zod';

/** Types of the rows of a validation error. */
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

/** One row of a validation error. `loc` starts with path, query, header or body. */
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

/** Body of every other error. */
export const errorSchema = z.object({ detail: z.string() }).meta({ id: 'Error' });

/** Body of a 400 in compat mode: the first problem as text, and where the request is not valid all of them. */
export const compatErrorSchema = z
  .object({ detail: z.string(), errors: z.array(problemSchema).optional() })
  .meta({ id: 'CompatError' });

/** Body of a 500. */
export const unexpectedErrorSchema = z
  .object({ detail: z.string(), request_id: z.string() })
  .meta({ id: 'UnexpectedError' });

/** Says inside a schema what is wrong with a value, in the terms of the contract. */
export function problem(
  context: { issues: unknown[]; value: unknown },
  type: ProblemType,
  message: string,
  ctx?: Record<string, unknown>,
): never {
  context.issues.push({ code: 'custom', message, input: context.value, params: { type, ctx } });
  return z.NEVER;
}

/** Allowed values as a refusal lists them: `'a', 'b' or 'c'`. */
export function alternatives(values: readonly unknown[]): string {
  const quoted = values.map((value) => `'${String(value)}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
