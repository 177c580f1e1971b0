import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, ROOT } from './documents.js';

test.each(documents())('every link and picture in $path has a target', ({ path, text }) => {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const broken = targets.filter((target) => !/^https?:/.test(target) && !leadsSomewhere(path, target));
  expect(broken).toEqual([]);
});

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? join(ROOT, from) : join(ROOT, dirname(from), file);
  if (!existsSync(path)) return false;
  return anchor === undefined || anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
}

/** Returns the anchors that repository hosts generate for headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
