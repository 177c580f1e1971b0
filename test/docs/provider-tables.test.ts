import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROVIDERS } from '@healthd/providers';
import { expect, test } from 'vitest';
import { ROOT } from './documents.js';
import { providerTables, withTables } from './provider-tables.js';

const PAGES = PROVIDERS.filter(({ capabilities }) => capabilities.oauth).map(({ id }) => `docs/providers/${id}.md`);
const HOLDERS = ['README.md', 'docs/providers/coverage.md', 'docs/vendor-terms.md', ...PAGES];

test.each(HOLDERS)("%s contains the registry's current provider tables (npm run provider-tables)", (path) => {
  const file = join(ROOT, path);
  const filled = withTables(readFileSync(file, 'utf8'));
  if (process.env.HEALTHD_WRITE_TABLES === '1') writeFileSync(file, filled);
  expect(readFileSync(file, 'utf8')).toBe(filled);
});

test('shows every table in a document', () => {
  const texts = HOLDERS.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
  const withoutPage = PROVIDERS.filter(({ capabilities }) => !capabilities.oauth).map(({ id }) => `terms-${id}`);
  const shown = Object.keys(providerTables()).filter((name) => !withoutPage.includes(name));
  for (const name of shown) expect(texts).toContain(`<!-- begin ${name} -->`);
});

test('has a page for every cloud provider', () => {
  for (const { id, capabilities } of PROVIDERS) {
    if (capabilities.oauth) expect(existsSync(join(ROOT, `docs/providers/${id}.md`)), id).toBe(true);
  }
});
