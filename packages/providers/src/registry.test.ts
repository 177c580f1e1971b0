import { expect, test } from 'vitest';
import { PROVIDERS } from './registry.js';

test('has an adapter for exactly the capabilities of each provider', () => {
  for (const { id, capabilities, push, file, cloud } of PROVIDERS) {
    const ways = { push: push !== undefined, file: file !== undefined, oauth: cloud !== undefined };
    expect(ways, id).toEqual({ push: capabilities.push, file: capabilities.file, oauth: capabilities.oauth });
  }
});
