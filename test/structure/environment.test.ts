import { expect, test } from 'vitest';
import { placesOf, readSources, type SourceFile, sourceFile } from './sources.js';

const SETTINGS = 'daemon/src/app/settings/';

/** Other files that may read the environment, with reasons. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/embedded-postgres/src/spawn-environment.ts': 'what the programs of Postgres are started with',
  'packages/providers/src/google/service-tokens.ts': 'where the programs of the vendor look for credentials too',
};

function readsElsewhere(sources: readonly SourceFile[]): string[] {
  const others = sources.filter(({ path }) => !path.startsWith(SETTINGS) && !(path in EXCEPTIONS));
  return placesOf(others, /\bprocess\s*(\.|\?\.)\s*env\b|\bprocess\[|import [^;]*\benv\b[^;]* from 'node:process'/g);
}

test('reads the environment only in settings or listed exceptions', async () => {
  const sources = [...(await readSources('daemon/src')), ...(await readSources('packages'))];
  const paths = sources.map(({ path }) => path);
  expect(paths.filter((path) => path in EXCEPTIONS)).toHaveLength(Object.keys(EXCEPTIONS).length);
  expect(readsElsewhere(sources)).toEqual([]);
});

test('finds a file outside the settings that reads the environment', () => {
  const planted = sourceFile('daemon/src/runs/planted.ts', 'export const zone = process.env.TZ;\n');
  expect(readsElsewhere([planted])).toEqual(['daemon/src/runs/planted.ts:1']);
});
