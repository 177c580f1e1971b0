import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, ROOT } from './documents.js';

/** Pages whose shown output another test compares with a run of the same commands. */
const COMPARED_ELSEWHERE = ['docs/verified-copy.md'];

/** Output of the commands of docs/healthctl.md on a terminal, recorded by test/e2e/cli-journey.test.ts. */
const recorded = new Set(readFileSync(join(ROOT, 'test/e2e/transcripts/journey.txt'), 'utf8').split('\n').map(shapeOf));

/** Replaces values, which differ between runs, and the widths of columns. */
function shapeOf(line: string): string {
  return line
    .replaceAll(/<run>|\b(?:xml|pull|backfill|sync)_[0-9a-f]{12,}\b/g, '<run>')
    .replaceAll(/\b\d[\d,.]*\b/g, '#')
    .replaceAll(/ {2,}/g, '  ')
    .trim();
}

const shown = documents()
  .filter(({ path }) => !COMPARED_ELSEWHERE.includes(path))
  .flatMap(({ path, text }) =>
    [...text.matchAll(/^```console\n(.*?)^```/gms)].flatMap(([, block = '']) =>
      block
        .split('\n')
        // Leaves out commands, which test/docs/commands.test.ts checks, omissions, and rows of a user's own values.
        .filter((line) => line.trim() !== '' && !/^(\$ |…|\d{4}-\d\d-\d\d |[a-z]+ +\d{4}-\d\d )/.test(line))
        .map((line) => [path, line] as const),
    ),
  );

test('finds shown output in the README and in docs/import.md', () => {
  expect(new Set(shown.map(([path]) => path))).toEqual(new Set(['README.md', 'docs/import.md']));
});

test.each(shown)('%s shows a line that healthctl prints: %s', (_, line) => {
  expect(recorded).toContain(shapeOf(line));
});
