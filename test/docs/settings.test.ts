import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@healthd/daemon/settings';
import { expect, test } from 'vitest';
import { ROOT } from './documents.js';
import { settings } from './programs.js';

const page = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
const rows = new Map(
  [...page.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(([, name = '', text = '']) => [name, text]),
);

test("lists exactly the service's settings in docs/settings.md", () => {
  expect([...rows.keys()].sort()).toEqual([...settings().keys()].sort());
});

const fixed = [...settings()].filter(([, fallback]) => /^[\w.-]+$/.test(fallback) && fallback !== 'none');
test.each(fixed)('documents the default of %s, %s', (name, fallback) => {
  expect(rows.get(name) ?? '').toContain(`\`${fallback}\``);
});

// Excludes settings whose default is the name of another setting.
test.each(fixed.filter(([, fallback]) => !rows.has(fallback)))(
  'accepts the default of %s as a value: %s',
  (name, fallback) => {
    expect(readSettings({ [name]: fallback })).toEqual(readSettings({}));
  },
);
