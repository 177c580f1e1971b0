import { SCOPES } from '@healthd/contract';
import { expect, it } from 'vitest';
import { keyScopes } from './key-scopes.js';

it('a new key has full access only when every right is ticked', () => {
  expect(keyScopes([...SCOPES])).toBeNull();
  expect(keyScopes(['push', 'read'])).toEqual(['read', 'push']);
  expect(keyScopes(['read'])).toEqual(['read']);
});

it('a key for assistants has no other right', () => {
  expect(keyScopes([...SCOPES, 'assistant'])).toEqual(['assistant']);
});

it('a key for which no right is ticked would have none, and never full access', () => {
  expect(keyScopes([])).toEqual([]);
});
