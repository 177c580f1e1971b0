import { expect, test } from 'vitest';
import { PROVIDERS } from './registry.js';

test('lists exactly the capabilities for which a provider has an adapter', () => {
  for (const { id, capabilities, push, file, cloud } of PROVIDERS) {
    const ways = { push: push !== undefined, file: file !== undefined, oauth: cloud !== undefined };
    expect(ways, id).toEqual({ push: capabilities.push, file: capabilities.file, oauth: capabilities.oauth });
  }
});
