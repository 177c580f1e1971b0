import { intParam, repeated } from '@healthd/schemas';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { unknownNameProblems } from './unknown-names.js';

const userFields = z.object({ first_name: z.string().nullish(), email: z.string().nullish() });
const messages = (schema: z.ZodType | undefined, value: unknown) =>
  unknownNameProblems('body', schema, value).map(({ msg }) => msg);

test('rejects an undeclared name with a suggestion, without the value', () => {
  expect(unknownNameProblems('body', userFields.nullish(), { firstname: 'hunter2' })).toEqual([
    {
      loc: ['body', 'firstname'],
      msg: 'Extra inputs are not permitted. `firstname`: did you mean `first_name`?',
      type: 'extra_forbidden',
      ctx: { suggestion: 'first_name' },
    },
  ]);
});

test.each([
  ['firstName', 'first_name'],
  ['first-name', 'first_name'],
  ['fist_name', 'first_name'],
  ['emial', 'email'],
  ['e_mail[]', 'email'],
])('treats `%s` as a misspelling of `%s`', (written, suggestion) => {
  expect(messages(userFields, { [written]: 1 })).toEqual([
    `Extra inputs are not permitted. \`${written}\`: did you mean \`${suggestion}\`?`,
  ]);
});

test.each(['colour', 'id', 'x', '_', '[]', '', 'constructor', '__proto__', '日本'])(
  'suggests nothing for an unfamiliar name such as "%s"',
  (name) => {
    expect(messages(userFields, JSON.parse(`{${JSON.stringify(name)}:1}`))).toEqual(['Extra inputs are not permitted']);
  },
);

test('rejects every name in an undeclared request part', () => {
  expect(messages(undefined, { limit: '1' })).toEqual(['Extra inputs are not permitted']);
});

describe('finds an unknown name', () => {
  const item = z.object({ provider: z.string() });
  const places: [where: string, schema: z.ZodType, value: unknown, loc: (string | number)[]][] = [
    ['in the items of a list', z.object({ list: z.array(item).max(9) }), { list: [{}, { b: 1 }] }, ['list', 1, 'b']],
    ['in the values of a dictionary', z.record(z.string(), item), { one: { b: 1 } }, ['one', 'b']],
    ['within a refinement', z.object({ a: item }).refine(() => true), { a: { b: 1 } }, ['a', 'b']],
    ['before a transformation', item.transform((one) => one.provider), { b: 1 }, ['b']],
    ['after a preprocessing step', z.preprocess((value) => value, item), { b: 1 }, ['b']],
    ['within a default', z.object({ a: item.nullable().default(null).catch(null) }), { a: { b: 1 } }, ['a', 'b']],
  ];
  test.each(places)('%s', (_where, schema, value, loc) => {
    expect(unknownNameProblems('body', schema, value).map((problem) => problem.loc)).toEqual([['body', ...loc]]);
  });
});

test('accepts a name that any alternative of a union declares', () => {
  const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
  expect(messages(either, { b: 'x' })).toEqual([]);
  expect(messages(either, { c: 'x' })).toHaveLength(1);
});

test('accepts declared parameters regardless of their schema', () => {
  const query = z.object({ limit: intParam({ default: 1 }), types: repeated(z.string()), any: z.unknown() });
  expect(unknownNameProblems('query', query, { limit: '1', types: ['a', 'b'], any: { c: 1 } })).toEqual([]);
});

test('reports at most a hundred unknown names, shortened', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}${'x'.repeat(500)}`, 1]));
  const problems = unknownNameProblems('body', userFields, many);
  expect(problems).toHaveLength(100);
  expect(JSON.stringify(problems).length).toBeLessThan(30_000);
});
