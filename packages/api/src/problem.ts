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
