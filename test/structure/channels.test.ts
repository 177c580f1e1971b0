import { expect, test } from 'vitest';
import { placesOf, readSources, type SourceFile, sourceFile } from './sources.js';

const HOME = 'daemon/src/platform/database/database-channels.ts';

/** Source text of a statement that listens to a Postgres channel. */
const LISTEN = /['"`]\s*listen\s+["$a-z]/gi;

function listensElsewhere(sources: readonly SourceFile[]): string[] {
  return placesOf(
    sources.filter(({ path }) => path !== HOME),
    LISTEN,
  );
}

test('listens to Postgres channels only in database-channels.ts', async () => {
  const sources = await readSources('daemon/src');
  expect(
    placesOf(
      sources.filter(({ path }) => path === HOME),
      LISTEN,
    ),
  ).toHaveLength(1);
  expect(listensElsewhere(sources)).toEqual([]);
});

test.each(["await client.query('listen healthd_jobs');", ['await client.query(`LISTEN $', '{CHANNEL}`);'].join('')])(
  'finds a listening statement outside database-channels.ts: %s',
  (statement) => {
    const planted = sourceFile('daemon/src/runs/planted.ts', `\n${statement}\n`);
    expect(listensElsewhere([planted])).toEqual(['daemon/src/runs/planted.ts:2']);
  },
);
