import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = ['cli', 'console', 'daemon', 'packages', 'scripts', 'test'];

test('A spread of a literal inside a literal is found, one of what a literal is turned into is not', () => {
  expect(literalSpreads(`f({\n  ...{ a, b: [1] },\n  c,\n});`)).toEqual([2]);
  expect(literalSpreads(`f([...['a]', b], c]);`)).toEqual([1]);
  expect(literalSpreads(`f([...([a, b] as const), c]);`)).toEqual([1]);
  expect(
    literalSpreads('f([...[1, 2].map(g), ...[a, b][0], ...[...c].sort(), ...([1] as const).map(g), ...d]);'),
  ).toEqual([]);
});

test('No literal spreads a literal to keep the formatter on one line', async () => {
  const found: string[] = [];
  for await (const file of sources()) {
    if (file === import.meta.filename) continue;
    for (const line of literalSpreads(await readFile(file, 'utf8'))) found.push(`${relative(ROOT, file)}:${line}`);
  }
  expect(found).toEqual([]);
});

/** Our own sources, without what is built or installed. */
async function* sources(): AsyncGenerator<string> {
  for (const folder of FOLDERS) yield* below(join(ROOT, folder));
}

async function* below(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !['node_modules', 'dist', 'fixtures'].includes(entry.name)) yield* below(path);
    if (entry.isFile() && /\.(ts|tsx|mjs|cjs)$/.test(entry.name)) yield path;
  }
}

/** The lines, from 1, on which the literal `{…}` or `[…]` behind `...` is all that is spread. */
function literalSpreads(source: string): number[] {
  const lines: number[] = [];
  for (const { 0: opening, index } of source.matchAll(/\.\.\.\(?[[{]/g)) {
    const end = closingBracket(source, index + 3);
    if (/^\s*[,\])}]/.test(source.slice(end + 1)))
      lines.push(source.slice(0, index + opening.length).split('\n').length);
  }
  return lines;
}

/** Where the bracket that opens at `start` is closed; brackets in texts are not counted. */
function closingBracket(source: string, start: number): number {
  const bracketOrText = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[[\](){}]/g;
  bracketOrText.lastIndex = start;
  let depth = 0;
  for (let match = bracketOrText.exec(source); match !== null; match = bracketOrText.exec(source)) {
    if ('[({'.includes(match[0])) depth += 1;
    else if ('])}'.includes(match[0])) depth -= 1;
    if (depth === 0) return match.index;
  }
  return source.length;
}
