import { expect, test } from 'vitest';
import { readSources } from './sources.js';

test('only bounded-strategy.ts touches what passport-oauth2 does not document', async () => {
  const touching = (await readSources('daemon/src')).filter(({ code }) =>
    /\b_(oauth2|pkceMethod|stateStore|verify)\b/.test(code),
  );
  expect(touching.map(({ path }) => path)).toEqual(['daemon/src/connections/consent/bounded-strategy.ts']);
});

test('no consent runs on a request or response that is not real', async () => {
  const sources = await readSources('daemon/src/connections');
  expect(sources.filter(({ code }) => /as (unknown as )?(Request|Response)\b/.test(code))).toEqual([]);
});
