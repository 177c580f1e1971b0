import { SCOPES } from '@healthd/contract';
import { expect, it } from 'vitest';
import { keyScopes } from './key-scopes.js';

it('a new key has full access only with all scopes', () => {
  expect(keyScopes([...SCOPES])).toBeNull();
  expect(keyScopes(['push', 'read'])).toEqual(['read', 'push']);
  expect(keyScopes(['read'])).toEqual(['read']);
});

it('a key for assistants has no other scope', () => {
  expect(keyScopes([...SCOPES, 'assistant'])).toEqual(['assistant']);
});

it('a key without selected scopes never has full access', () => {
  expect(keyScopes([])).toEqual([]);
});
