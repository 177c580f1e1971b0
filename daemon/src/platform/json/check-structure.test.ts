import { expect, test } from 'vitest';
import { checkStructure, MAX_DEPTH, MAX_VALUES } from './check-structure.js';

const check = (text: string) => checkStructure(Buffer.from(text));
const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;

test('measures depth as the nesting of arrays and objects', () => {
  expect(check(nested(MAX_DEPTH))).toBeUndefined();
  expect(check(nested(MAX_DEPTH + 2))).toBe('too_deep');
  expect(check(`${'[[],'.repeat(10)}1${']'.repeat(10)}`)).toBeUndefined();
  expect(check(`[${'[],'.repeat(100)}1]`)).toBeUndefined();
});

test('ignores brackets and commas within strings, even with escaped quotes', () => {
  expect(check(JSON.stringify('['.repeat(100)))).toBeUndefined();
  expect(check(JSON.stringify(`\\"${'['.repeat(100)}`))).toBeUndefined();
  expect(check(`["\\\\",${'['.repeat(100)}`)).toBe('too_deep');
  expect(check(JSON.stringify([','.repeat(MAX_VALUES * 2)]))).toBeUndefined();
});

test('rejects an array with more than MAX_VALUES elements', () => {
  expect(check(JSON.stringify(Array.from({ length: MAX_VALUES - 2 }, () => 1)))).toBeUndefined();
  expect(check(JSON.stringify(Array.from({ length: MAX_VALUES + 1 }, () => 1)))).toBe('too_many_values');
});

test('leaves invalid JSON to the parser', () => {
  for (const text of ['', ']]]', '"', '"\\', '{"a"', '\u0000']) expect(check(text)).toBeUndefined();
});
