import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesNamed, medianLines, section } from './walks.js';

/** How many files the list of each walk may have, in the order of the document. */
const MOST_FILES = {
  'A record that a device pushes': 47,
  "A point of Google's cloud": 50,
  'A row of an export': 51,
  'A webhook': 11,
  'A day of a summary': 34,
};
const MOST_LINES = 400;
const MOST_MEDIAN = 70;

const architecture = readFileSync(resolve(import.meta.dirname, '../../docs/architecture.md'), 'utf8');
const batch = filesNamed(
  section(architecture, 'One batch, file by file')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .join('\n'),
);
const walks = section(architecture, 'Five walks')
  .split('\n- **')
  .slice(1)
  .map((item) => {
    const files = filesNamed(item.split('\n\n')[0] ?? '');
    const storesBatch = files.some(({ path }) => path.endsWith('/write/batch-write.ts'));
    const passed = storesBatch ? [...files, ...batch.filter(({ isMarked }) => isMarked)] : files;
    return { name: item.slice(0, item.indexOf('.**')), files: passed };
  });

test('docs/architecture.md has a list of files for each of the five walks', () => {
  expect(walks.map(({ name }) => name)).toEqual(Object.keys(MOST_FILES));
  for (const { files } of walks) expect(files.length).toBeGreaterThan(5);
});

describe.each(walks)('the walk of "$name"', ({ name, files }) => {
  test(`the walk of "${name}" passes no file twice and no more files than it may`, () => {
    const paths = files.map(({ path }) => path);
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
    expect(paths.length).toBeLessThanOrEqual(MOST_FILES[name as keyof typeof MOST_FILES]);
  });

  test(`the files of the walk of "${name}" are short`, () => {
    expect(files.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
    expect(medianLines(files)).toBeLessThanOrEqual(MOST_MEDIAN);
  });
});

test('the files of one batch are short, and each is named once', () => {
  const paths = batch.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(batch.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
  expect(medianLines(batch)).toBeLessThanOrEqual(MOST_MEDIAN);
});

test('a name in a list that is no file is found', () => {
  expect(() => filesNamed('`store/write/batch-write.ts`, `planted.ts`')).toThrow("no file 'planted.ts'");
});

test('the median of an even number of files is the mean of the middle two', () => {
  expect(medianLines([{ lines: 90 }, { lines: 10 }, { lines: 50 }, { lines: 60 }])).toBe(55);
});
