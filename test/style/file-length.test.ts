import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** As docs/contributing.md says. */
const MAX_LINES = 400;
const FOLDERS = ['cli', 'console', 'daemon', 'packages', 'scripts', 'test'];
const CODE = /\.(?:[cm]?[jt]s|tsx|css|py)$/;
/** What is installed, built or generated. */
const NOT_OURS = /(^|\/)(?:node_modules|dist|bundle)\//;

/** Files of code with their text, tests among them. */
async function files(): Promise<{ path: string; text: string }[]> {
  const found = await Promise.all(
    FOLDERS.map((folder) => readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })),
  );
  const paths = found
    .flat()
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !NOT_OURS.test(path));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })));
}

function tooLong(sources: readonly { path: string; text: string }[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

test('no file of code has more than 400 lines, tests included', async () => {
  const sources = await files();
  expect(sources.length).toBeGreaterThan(1_500);
  expect(tooLong(sources)).toEqual([]);
});

test('a file with one line too many is found', () => {
  const lines = (count: number) => 'x;\n'.repeat(count);
  const planted = [
    { path: 'test/long.test.ts', text: lines(401) },
    { path: 'daemon/src/whole.ts', text: lines(400) },
  ];
  expect(tooLong(planted)).toEqual(['test/long.test.ts has 401 lines']);
});
