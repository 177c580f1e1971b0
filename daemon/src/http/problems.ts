import { alternatives, type Problem, type ProblemType } from '@healthd/schemas';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Location of a request part in `loc`. */
export type Part = 'path' | 'query' | 'header' | 'body';

/**
 * Maximum number of reported problems. More problems do not help the caller, and a body with many errors would cause a
 * response a hundred times its size.
 */
const MOST_PROBLEMS = 100;

/**
 * Returns the first hundred validation problems that zod found in one request part. Requires an error of a parse with
 * `reportInput`.
 */
export function problemsOf(part: Part, error: z.ZodError): Problem[] {
  const bounded = new Set(error.issues.filter((issue) => !isSafeRange(issue)).map(locationOf));
  return error.issues
    .filter((issue) => !isSafeRange(issue) || !bounded.has(locationOf(issue)))
    .slice(0, MOST_PROBLEMS)
    .flatMap((issue) => rows(part, issue));
}

/**
 * True for a problem with an integer outside the safe range. Such a problem is omitted if the integer's own bound is
 * reported too.
 */
function isSafeRange(issue: Issue): boolean {
  return (
    (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
    (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER)
  );
}

/** Identifies a violated bound by its path and side. */
function locationOf({ code, path }: Issue): string {
  return [code, ...path].join('\n');
}

function rows(part: Part, issue: Issue): Problem[] {
  if (issue.code === 'invalid_union') return [unionRow(part, issue)];
  const [type, message, ctx] = describe(issue);
  return [row(part, issue, [], type, message, ctx)];
}

function unionRow(part: Part, issue: Extract<Issue, { code: 'invalid_union' }>): Problem {
  const first = issue.errors[0]?.[0];
  const [type, message, ctx] = first ? describe(first) : (['value_error', issue.message] as const);
  return row(part, issue, first?.path ?? [], type, message, ctx);
}

function row(
  part: Part,
  issue: Issue,
  more: PropertyKey[],
  type: ProblemType,
  msg: string,
  ctx?: Record<string, unknown>,
): Problem {
  const loc = [part, ...issue.path, ...more].map((step) => (typeof step === 'number' ? step : String(step)));
  const problem: Problem = { loc, msg, type };
  if (type !== 'missing' && isPlain(issue.input) && !loc.some(isSecret)) problem.input = issue.input;
  if (ctx) problem.ctx = ctx;
  return problem;
}

type Description = readonly [ProblemType, string, Record<string, unknown>?];

function describe(issue: Issue): Description {
  switch (issue.code) {
    case 'custom':
      return custom(issue);
    case 'invalid_type':
      return issue.input === undefined ? ['missing', 'Field required'] : wrongType(issue.expected);
    case 'invalid_value':
      return issue.input === undefined
        ? ['missing', 'Field required']
        : ['enum', `Input should be ${alternatives(issue.values)}`, { expected: alternatives(issue.values) }];
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    case 'invalid_format':
      return wrongFormat(issue);
    default:
      return ['value_error', issue.message];
  }
}

function custom(issue: Extract<Issue, { code: 'custom' }>): Description {
  const type = (issue.params?.type as ProblemType | undefined) ?? 'value_error';
  const ctx = issue.params?.ctx as Record<string, unknown> | undefined;
  return type === 'value_error' ? [type, `Value error, ${issue.message}`, ctx] : [type, issue.message, ctx];
}

function wrongType(expected: string): Description {
  switch (expected) {
    case 'string':
      return ['string_type', 'Input should be a valid string'];
    case 'int':
      return ['int_parsing', 'Input should be a valid integer'];
    case 'number':
      return ['float_parsing', 'Input should be a valid number'];
    case 'boolean':
      return ['bool_parsing', 'Input should be a valid boolean'];
    case 'array':
      return ['value_error', 'Input should be a valid list'];
    case 'object':
    case 'record':
      return ['value_error', 'Input should be a valid dictionary'];
    default:
      return ['value_error', `Input should be a valid ${expected}`];
  }
}

function tooSmall(origin: string, minimum: number): Description {
  if (origin === 'string')
    return [
      'string_too_short',
      `String should have at least ${counted(minimum, 'character')}`,
      { min_length: minimum },
    ];
  if (origin === 'array')
    return ['value_error', `List should have at least ${counted(minimum, 'item')}`, { min_length: minimum }];
  return ['greater_than_equal', `Input should be greater than or equal to ${minimum}`, { ge: minimum }];
}

function tooBig(origin: string, maximum: number): Description {
  if (origin === 'string')
    return ['string_too_long', `String should have at most ${counted(maximum, 'character')}`, { max_length: maximum }];
  if (origin === 'array')
    return ['value_error', `List should have at most ${counted(maximum, 'item')}`, { max_length: maximum }];
  return ['less_than_equal', `Input should be less than or equal to ${maximum}`, { le: maximum }];
}

function wrongFormat(issue: Extract<Issue, { code: 'invalid_format' }>): Description {
  switch (issue.format) {
    case 'uuid':
      return ['uuid_parsing', 'Input should be a valid UUID'];
    case 'email':
      return ['value_error', 'value is not a valid email address'];
    case 'regex': {
      // Removes the slashes and flags of zod's JavaScript pattern.
      const pattern = (issue.pattern ?? '').replace(/^\/(.*)\/[a-z]*$/s, '$1');
      return ['string_pattern_mismatch', `String should match pattern '${pattern}'`, { pattern }];
    }
    case 'datetime':
    case 'date':
      return ['datetime_parsing', 'Input should be a valid datetime'];
    default:
      return ['value_error', issue.message];
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * True if the value of a member with this name may be a secret. Secrets are never echoed, not even to their sender,
 * because responses end up in logs.
 */
function isSecret(step: string | number): boolean {
  return typeof step === 'string' && /password|secret|token|code|key/i.test(step);
}

function isPlain(input: unknown): boolean {
  return input === null || ['string', 'number', 'boolean'].includes(typeof input);
}
