import { expect, test } from 'vitest';
import { PROVIDERS } from './registry.js';

test('every provider has an adapter for exactly the ways that its capabilities name', () => {
  for (const { id, capabilities, push, file, cloud } of PROVIDERS) {
    const ways = { push: push !== undefined, file: file !== undefined, oauth: cloud !== undefined };
    expect(ways, id).toEqual({ push: capabilities.push, file: capabilities.file, oauth: capabilities.oauth });
  }
});
