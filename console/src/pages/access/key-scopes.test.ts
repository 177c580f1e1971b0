import { SCOPES } from '@healthd/contract';
import { expect, it } from 'vitest';
import { keyScopes } from './key-scopes.js';

it('gives a new key full access only with all scopes', () => {
  expect(keyScopes([...SCOPES])).toBeNull();
  expect(keyScopes(['push', 'read'])).toEqual(['read', 'push']);
  expect(keyScopes(['read'])).toEqual(['read']);
});

it('removes all other scopes from an assistant key', () => {
  expect(keyScopes([...SCOPES, 'assistant'])).toEqual(['assistant']);
});

it('never gives full access to a key without selected scopes', () => {
  expect(keyScopes([])).toEqual([]);
});
