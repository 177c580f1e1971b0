import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AREAS, expanded, filesOf } from '../../scripts/mutant-folders.mjs';

const root = resolve(import.meta.dirname, '../..');
// Listed once, because a process per glob takes seconds.
const sources = filesOf(['**'], root);
const testFiles = filesOf(['**'], root, true);

/** Returns a pattern for the paths that a glob without braces matches. */
function patternOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*\*|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replaceAll('.', '\\.');
  });
  return new RegExp(`^${parts.join('')}$`);
}

function unmatched(globs: readonly string[], files: readonly string[]): string[] {
  return globs.flatMap(expanded).filter((glob) => !files.some((file) => patternOf(glob).test(file)));
}

test('expands every brace of a glob', () => {
  expect(expanded('a/{b,c}/{d,e}.ts')).toEqual(['a/b/d.ts', 'a/b/e.ts', 'a/c/d.ts', 'a/c/e.ts']);
});

describe.each(Object.entries(AREAS))('folder %s', (_, { mutate, tests }) => {
  test('each glob of files to mutate matches a file', () => {
    expect(unmatched(mutate, sources)).toEqual([]);
  });

  test('each glob of tests to run matches a file', () => {
    expect(unmatched(tests, testFiles)).toEqual([]);
  });
});
