import { expect, test } from 'vitest';
import { readSources } from './sources.js';

test('touches passport-oauth2 internals only in bounded-strategy.ts', async () => {
  const touching = (await readSources('daemon/src')).filter(({ code }) =>
    /\b_(oauth2|pkceMethod|stateStore|verify)\b/.test(code),
  );
  expect(touching.map(({ path }) => path)).toEqual(['daemon/src/connections/consent/bounded-strategy.ts']);
});

test('never casts to a request or response in daemon/src/connections', async () => {
  const sources = await readSources('daemon/src/connections');
  expect(sources.filter(({ code }) => /as (unknown as )?(Request|Response)\b/.test(code))).toEqual([]);
});
