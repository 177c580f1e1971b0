import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.js';
import { SettingsError } from '../platform/settings-error.js';
import { createVault } from '../vault/index.js';
import { discardSealed, hasSealedValues, requireEncryptionKey } from './key-check.js';

const key = (fill: number) => new Uint8Array(32).fill(fill);
const [A, B, C] = [key(1), key(2), key(3)];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query('truncate encryption_key_check, developer_invitation, health_user cascade');
});
afterAll(() => database.drop());

const require = (...keys: [Uint8Array, ...Uint8Array[]]) => requireEncryptionKey(database.pool, keys);

async function invite(by: Uint8Array, email = 'ada@clinic.example'): Promise<void> {
  const id = crypto.randomUUID();
  const sealed = createVault([by]).seal({ table: 'developer_invitation', column: 'token_sealed', row: id }, 'secret');
  await database.pool.query(
    `insert into developer_invitation (id, email, login_name, token_hash, token_sealed, status, expires_at)
     values ($1, $2, $2, $3, $4, 'pending', now() + interval '7 days')`,
    [id, email, Buffer.from(id), sealed],
  );
}

async function errorOf(...keys: [Uint8Array, ...Uint8Array[]]): Promise<string> {
  const failure: unknown = await require(...keys).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SettingsError);
  return (failure as SettingsError).message;
}

it('rejects another ENCRYPTION_KEY even if only the check value was sealed', async () => {
  await require(A);
  await require(A);
  expect(await errorOf(B)).toMatch(/^ENCRYPTION_KEY cannot decrypt the secrets in this database \(/);
  await require(A);
});

it('counts undecryptable values in the error without showing a key', async () => {
  await require(A);
  await invite(A);
  const text = await errorOf(B);
  expect(text).toContain(' 1 secret ');
  for (const secret of [A, B]) expect(text).not.toContain(Buffer.from(secret).toString('base64url').slice(0, 8));
});

it('requires the old key while values sealed by that key exist', async () => {
  await require(A);
  await invite(A);
  await require(B, A);
  await invite(B, 'grace@clinic.example');
  expect(await errorOf(B)).toContain('ENCRYPTION_KEY');
  expect(await errorOf(A)).toContain('ENCRYPTION_KEY');
  await database.pool.query(`update developer_invitation set status = 'accepted' where email = 'ada@clinic.example'`);
  await require(B);
  expect(await errorOf(C, A)).toContain('ENCRYPTION_KEY');
});

it('checks the key against sealed values if no check value exists', async () => {
  await invite(A);
  expect(await errorOf(B)).toContain('ENCRYPTION_KEY');
  await require(A);
});

it('treats a damaged check value as a wrong key', async () => {
  await require(A);
  await database.pool.query(`update encryption_key_check set sealed = left(sealed, -4) || 'AAAA'`);
  expect(await errorOf(A)).toContain('ENCRYPTION_KEY');
});

it('reports sealed values only if a secret or check value exists', async () => {
  expect(await hasSealedValues(database.url)).toBe(false);
  await invite(A);
  expect(await hasSealedValues(database.url)).toBe(true);
  await database.pool.query('truncate developer_invitation cascade');
  await require(A);
  expect(await hasSealedValues(database.url)).toBe(true);
  const empty = await createTestDatabase();
  await empty.pool.query('drop schema public cascade; create schema public');
  expect(await hasSealedValues(empty.url)).toBe(false);
  await empty.drop();
});

it('discards only values sealed by a lost key', async () => {
  await require(A);
  await require(B, A);
  await invite(A);
  await invite(B, 'grace@clinic.example');
  const client = await database.pool.connect();
  expect(await discardSealed(client, [B])).toEqual({ connections: 0, invitations: 1 });
  client.release();
  await require(B);
  const open = await database.pool.query(`select email from developer_invitation where status = 'pending'`);
  expect(open.rows).toEqual([{ email: 'grace@clinic.example' }]);
});

it('accepts another key after discarding all sealed values', async () => {
  await require(A);
  await invite(A);
  const client = await database.pool.connect();
  expect(await discardSealed(client, [])).toEqual({ connections: 0, invitations: 1 });
  client.release();
  expect(await hasSealedValues(database.url)).toBe(false);
  await require(B);
});
