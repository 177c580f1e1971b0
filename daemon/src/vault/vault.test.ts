import { expect, test } from 'vitest';
import { createVault, type SealedField } from './vault.js';

const [oldKey, newKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const vault = createVault([oldKey]);
const field: SealedField = { table: 'connection', column: 'access_token', row: '17', userId: 'u' };

test('opens a sealed value', () => {
  const sealed = vault.seal(field, 'tökén');
  expect(vault.open(field, sealed)).toBe('tökén');
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  expect(sealed).not.toContain('tökén');
  expect(vault.open(field, vault.seal(field, ''))).toBe('');
});

test('seals equal values differently', () => {
  expect(vault.seal(field, 'tökén')).not.toBe(vault.seal(field, 'tökén'));
});

test.each([
  ['table', { ...field, table: 'webhook' }],
  ['column', { ...field, column: 'refresh_token' }],
  ['row', { ...field, row: '18' }],
  ['user', { ...field, userId: 'v' }],
  ['context, without a user', { table: field.table, column: field.column, row: field.row }],
])('does not open a sealed value in another %s', (_part, other) => {
  expect(vault.open(other, vault.seal(field, 'token'))).toBeUndefined();
});

test('uses the old key only to open values after a rotation', () => {
  const rotated = createVault([newKey, oldKey]);
  const sealed = vault.seal(field, 'token');
  expect(rotated.open(field, sealed)).toBe('token');
  expect(createVault([newKey]).open(field, sealed)).toBeUndefined();
  expect(vault.open(field, rotated.seal(field, 'token'))).toBeUndefined();
});

test('rejects a sealed value with a changed character', () => {
  const sealed = vault.seal(field, 'token');
  for (let at = 0; at < sealed.length - 1; at += 1) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    expect(vault.open(field, changed)).toBeUndefined();
  }
  for (const nonsense of ['', 'v1', 'v1..', 'x.y.z', sealed.slice(0, 20)]) {
    expect(vault.open(field, nonsense)).toBeUndefined();
  }
});

test('recognizes only its own keys by the fingerprints in sealed values', () => {
  const rotated = createVault([newKey, oldKey]);
  const [, idOfOld = ''] = vault.seal(field, 'token').split('.');
  const [, idOfNew = ''] = rotated.seal(field, 'token').split('.');
  expect(rotated.currentKeyId).toBe(idOfNew);
  expect([idOfNew, idOfOld].map((id) => rotated.hasKey(id))).toEqual([true, true]);
  expect([idOfNew, idOfOld, ''].map((id) => vault.hasKey(id))).toEqual([false, true, false]);
});

test('returns undefined for a sealed value cut to any length', () => {
  const sealed = vault.seal(field, 'token');
  for (let length = 0; length < sealed.length; length += 1) {
    expect(vault.open(field, sealed.slice(0, length)), String(length)).toBeUndefined();
  }
});
