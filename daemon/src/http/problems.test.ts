import {
  boolParam,
  emailField,
  intParam,
  PROBLEM_TYPES,
  type Problem,
  problem,
  textField,
  uuidParam,
} from '@healthd/schemas';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseFinite } from './parse-finite.js';
import { problemsOf } from './problems.js';

function found(schema: z.ZodType, value: unknown): Problem[] {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) throw new Error('the value was taken');
  return problemsOf('body', result.error);
}

/** A schema, a value that it rejects, and the resulting problem. */
const CASES: Record<string, [z.ZodType, unknown, Partial<Problem>][]> = {
  missing: [
    [z.string(), undefined, { msg: 'Field required' }],
    [z.enum(['a', 'b']), undefined, { msg: 'Field required' }],
    [z.object({}), undefined, { msg: 'Field required' }],
  ],
  uuid_parsing: [
    [
      uuidParam,
      'x1',
      { msg: 'Input should be a valid UUID', input: 'x1', ctx: { error: 'invalid character: found `x` at 1' } },
    ],
    [uuidParam, 'abc', { ctx: { error: 'invalid length: expected 32 hexadecimal digits, found 3' } }],
    [z.uuid(), 'x', { msg: 'Input should be a valid UUID' }],
  ],
  int_parsing: [
    [intParam({}), '1.5', { msg: 'Input should be a valid integer, unable to parse string as an integer' }],
    [z.int(), 1.5, { msg: 'Input should be a valid integer', input: 1.5 }],
  ],
  float_parsing: [[z.number(), 'x', { msg: 'Input should be a valid number', input: 'x' }]],
  bool_parsing: [
    [boolParam(false), 'maybe', { msg: 'Input should be a valid boolean, unable to interpret input' }],
    [z.boolean(), 1, { msg: 'Input should be a valid boolean' }],
  ],
  string_type: [
    [z.string(), 7, { msg: 'Input should be a valid string', input: 7 }],
    [z.string(), null, { input: null }],
  ],
  enum: [
    [z.enum(['a', 'b', 'c']), 'd', { msg: "Input should be 'a', 'b' or 'c'", ctx: { expected: "'a', 'b' or 'c'" } }],
    [z.literal('a'), 'd', { msg: "Input should be 'a'" }],
  ],
  greater_than_equal: [
    [z.number().min(3), 2, { msg: 'Input should be greater than or equal to 3', ctx: { ge: 3 } }],
    [intParam({ min: 1 }), `-${'9'.repeat(400)}`, { ctx: { ge: 1 } }],
    [intParam({ min: 1 }), '0', { msg: 'Input should be greater than or equal to 1', ctx: { ge: 1 } }],
  ],
  less_than_equal: [
    [z.number().max(3), 4, { msg: 'Input should be less than or equal to 3', ctx: { le: 3 } }],
    [intParam({ max: 100 }), '9'.repeat(400), { msg: 'Input should be less than or equal to 100', ctx: { le: 100 } }],
    [intParam({}), '1'.repeat(17), { ctx: { le: Number.MAX_SAFE_INTEGER } }],
    [intParam({ max: 100 }), '101', { msg: 'Input should be less than or equal to 100', ctx: { le: 100 } }],
  ],
  string_too_short: [
    [z.string().min(1), '', { msg: 'String should have at least 1 character', ctx: { min_length: 1 } }],
    [z.string().min(8), 'x', { msg: 'String should have at least 8 characters' }],
  ],
  string_too_long: [
    [z.string().max(2), 'xyz', { msg: 'String should have at most 2 characters', ctx: { max_length: 2 } }],
  ],
  string_pattern_mismatch: [
    [
      z.string().regex(/^[A-Z]+$/),
      'x',
      { msg: "String should match pattern '^[A-Z]+$'", ctx: { pattern: '^[A-Z]+$' } },
    ],
  ],
  datetime_parsing: [[z.iso.datetime(), 'soon', { msg: 'Input should be a valid datetime', input: 'soon' }]],
  json_invalid: [
    [z.unknown().transform((_value, context) => problem(context, 'json_invalid', 'JSON decode error')), {}, {}],
  ],
  value_error: [
    [emailField, 'x', { msg: 'value is not a valid email address', input: 'x' }],
    [textField(9), '\0', { msg: 'Value error, text must not contain control characters' }],
    [z.object({}), [], { msg: 'Input should be a valid dictionary' }],
    [z.array(z.string()), 'x', { msg: 'Input should be a valid list' }],
    [z.array(z.string()).min(1), [], { msg: 'List should have at least 1 item', ctx: { min_length: 1 } }],
    [z.array(z.string()).max(1), ['a', 'b'], { msg: 'List should have at most 1 item', ctx: { max_length: 1 } }],
    [z.string().refine(() => false, 'end is before start'), 'x', { msg: 'Value error, end is before start' }],
  ],
};

describe.each(Object.entries(CASES))('%s', (type, cases) => {
  test.each(cases)('is reported for rejected value %#', (schema, value, row) => {
    expect(found(schema, value)).toEqual([expect.objectContaining({ loc: ['body'], type, ...row })]);
  });
});

test('has a case for every problem type except extra_forbidden', () => {
  expect(Object.keys(CASES).sort()).toEqual(PROBLEM_TYPES.filter((type) => type !== 'extra_forbidden').sort());
});

test.each(['1e400', '9223372036854775808', '99999999999999999999', `1${'0'.repeat(400)}`])(
  'reports only the violated bound for an integer of any size: %s',
  (text) => {
    const schema = z.object({ rows: z.array(z.object({ days: z.int().min(1).max(100).nullable() })) });
    const bound = (sent: string) => {
      const result = parseFinite(schema, JSON.parse(`{"rows":[{"days":${sent}}]}`));
      return (result.error ? problemsOf('body', result.error) : []).map(({ loc, type, msg }) => [...loc, type, msg]);
    };
    const at = ['body', 'rows', 0, 'days'];
    expect(bound(text)).toEqual([[...at, 'less_than_equal', 'Input should be less than or equal to 100']]);
    expect(bound(`-${text}`)).toEqual([[...at, 'greater_than_equal', 'Input should be greater than or equal to 1']]);
  },
);

test('rejects an infinite JSON number even without bounds in the schema', () => {
  expect(parseFinite(z.number(), JSON.parse('1e400')).success).toBe(false);
});

test('checks numbers in a body that is nested deeper than any schema', () => {
  const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const sent: unknown = JSON.parse(`{"days":1e400,"more":${nested}}`);
  const result = parseFinite(z.object({ days: z.int().max(100) }), sent);
  expect(result.error && problemsOf('body', result.error)).toMatchObject([{ type: 'less_than_equal' }]);
});

test('reads problem paths fewer than five times per problem', () => {
  const rows = Array.from({ length: 2_000 }, () => 1e300);
  const { error } = z.array(z.int().max(100)).safeParse(rows, { reportInput: true });
  let reads = 0;
  for (const issue of error?.issues ?? []) {
    const { path } = issue;
    const read = () => {
      reads += 1;
      return path;
    };
    Object.defineProperty(issue, 'path', { get: read });
  }
  expect(error && problemsOf('body', error)).toHaveLength(100);
  expect(reads).toBeLessThan(5 * rows.length);
});

test('reports all problems with their locations', () => {
  const schema = z.object({ name: z.string(), rows: z.array(z.object({ count: z.int() })) });
  const rows = found(schema, { rows: [{ count: 1 }, { count: 0.5 }] });
  expect(rows.map(({ loc, type }) => [loc, type])).toEqual([
    [['body', 'name'], 'missing'],
    [['body', 'rows', 1, 'count'], 'int_parsing'],
  ]);
});

test('reports the first failing alternative of a union', () => {
  expect(found(z.object({ at: z.union([z.string(), z.number()]) }), { at: true })).toMatchObject([
    { loc: ['body', 'at'], type: 'string_type' },
  ]);
});

test.each(['password', 'refresh_token', 'app_secret', 'code', 'key_id', 'new_password'])(
  'does not repeat a value sent as %s',
  (field) => {
    const [row] = found(z.object({ [field]: z.string() }), { [field]: 12345 });
    expect(row).not.toHaveProperty('input');
  },
);

test('does not echo a rejected object', () => {
  expect(found(z.string(), { heart_rate: 61 })[0]).not.toHaveProperty('input');
});
