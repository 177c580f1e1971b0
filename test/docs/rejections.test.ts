import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REJECTION_CODES } from '@healthd/model';
import { expect, test } from 'vitest';
import { ROOT } from './documents.js';

const SOURCES = ['packages/model/src', 'packages/providers/src', 'daemon/src/ingest', 'daemon/src/store'];
const DECLARATION = 'packages/model/src/rejections.ts';

/** Source code of the programs, without tests and the declaration of the codes. */
const program = SOURCES.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== DECLARATION)
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

test('explains exactly the existing rejection codes in docs/rejections.md', () => {
  const page = readFileSync(join(ROOT, 'docs/rejections.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \| [A-Z].*\. \|$/gm)].map(([, code]) => code);
  expect(listed).toEqual([...REJECTION_CODES]);
});

// The compiler checks the opposite direction: `Rejected` accepts no other code.
test.each(REJECTION_CODES)('uses the rejection code %s in the program', (code) => {
  expect(program).toContain(`'${code}'`);
});
