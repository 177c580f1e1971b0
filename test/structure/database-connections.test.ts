import { expect, test } from 'vitest';
import { placesOf, readSources, type SourceFile, sourceFile } from './sources.js';

const HOME = 'daemon/src/platform/database/';
/** File that opens the database of another service. It reads once and has its own error listener. */
const FOREIGN = 'daemon/src/open-wearables/source-database.ts';

/** Source text that creates a pool or a connection of the driver. */
const OPENED = /\bnew (pg\.)?(Pool|Client)\(/g;

function openedElsewhere(sources: readonly SourceFile[]): string[] {
  return placesOf(
    sources.filter(({ path }) => !path.startsWith(HOME) && path !== FOREIGN),
    OPENED,
  );
}

test('opens database connections only in platform/database', async () => {
  expect(openedElsewhere(await readSources('daemon/src'))).toEqual([]);
});

test.each(['new pg.Pool({ connectionString })', 'new Client(url)'])(
  'finds a connection outside of platform/database: %s',
  (opened) => {
    expect(openedElsewhere([sourceFile('daemon/src/runs/planted.ts', `const own = ${opened};`)])).toEqual([
      'daemon/src/runs/planted.ts:1',
    ]);
  },
);
