import { expect, test } from 'vitest';
import { checkStructure, MAX_DEPTH, MAX_VALUES } from './check-structure.js';

const check = (text: string) => checkStructure(Buffer.from(text));
const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

test('text is as deep as its arrays and objects are within each other', () => {
  expect(check(nested(MAX_DEPTH))).toBeUndefined();
  expect(check(nested(MAX_DEPTH + 2))).toBe('too_deep');
  expect(check(`${'[[],'.repeat(10)}1${']'.repeat(10)}`)).toBeUndefined();
  expect(check(`[${'[],'.repeat(100)}1]`)).toBeUndefined();
});

test('brackets and commas within strings do not count, with or without escapes before them', () => {
  expect(check(JSON.stringify('['.repeat(100)))).toBeUndefined();
  expect(check(JSON.stringify(`\\"${'['.repeat(100)}`))).toBeUndefined();
  expect(check(`["\\\\",${'['.repeat(100)}`)).toBe('too_deep');
  expect(check(JSON.stringify([','.repeat(MAX_VALUES * 2)]))).toBeUndefined();
});

test('values are counted, each element of an array and each member of an object', () => {
  expect(check(JSON.stringify(Array.from({ length: MAX_VALUES - 2 }, () => 1)))).toBeUndefined();
  expect(check(JSON.stringify(Array.from({ length: MAX_VALUES + 1 }, () => 1)))).toBe('too_many_values');
});

test('text that is no JSON is left to the parser', () => {
  for (const text of ['', ']]]', '"', '"\\', '{"a"', '\u0000']) expect(check(text)).toBeUndefined();
});
