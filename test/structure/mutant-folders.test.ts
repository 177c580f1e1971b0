import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AREAS, expanded, filesOf } from '../../scripts/mutant-folders.mjs';

const root = resolve(import.meta.dirname, '../..');

test('expands every brace of a glob', () => {
  expect(expanded('a/{b,c}/{d,e}.ts')).toEqual(['a/b/d.ts', 'a/b/e.ts', 'a/c/d.ts', 'a/c/e.ts']);
});

describe.each(Object.entries(AREAS))('folder %s', (_, { mutate, tests }) => {
  test('each glob of files to mutate matches a file', () => {
    for (const glob of mutate.flatMap(expanded)) expect(filesOf([glob], root), glob).not.toEqual([]);
  });

  test('each glob of tests to run matches a file', () => {
    for (const glob of tests.flatMap(expanded)) expect(filesOf([glob], root, true), glob).not.toEqual([]);
  });
});
