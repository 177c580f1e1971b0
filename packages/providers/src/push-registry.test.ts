import { expect, test } from 'vitest';
import { PROVIDERS } from './registry.js';
import { PUSH_ADAPTERS } from './push-registry.js';

test('lists the adapter of every provider that receives pushes', () => {
  const ofProviders = PROVIDERS.flatMap(({ push }) => push ?? []);
  expect(new Set(PUSH_ADAPTERS)).toEqual(new Set(ofProviders));
});
