import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { MS_PER_MINUTE } from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json, VendorServer } from '../cloud/testing/vendor-server.js';
import { SignatureKeys } from './signature-keys.js';
import { googleWebhook } from './webhook.js';

const BODY = Buffer.from('[{"data":{"healthUserId":"1","dataType":"steps"}}]');
const CURRENT = 'google-health-api-signature';

let server: VendorServer;
let nowMs = Date.UTC(2026, 3, 2);
beforeAll(async () => {
  server = await new VendorServer().start();
});
afterAll(() => server.stop());

interface SigningKey {
  keyId: number;
  privateKey: KeyObject;
  entry: Record<string, unknown>;
}

/** Key in Tink's format: coordinates with a leading zero. */
function makeKey(keyId: number, status = 'ENABLED'): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const field = (tag: number, bytes: Buffer) => Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
  const coordinate = (text: string) => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'base64url')]);
  const message = Buffer.concat([
    field(0x12, Buffer.from('080310021802', 'hex')),
    field(0x1a, coordinate(x)),
    field(0x22, coordinate(y)),
  ]);
  const keyData = {
    typeUrl: 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey',
    value: message.toString('base64'),
  };
  return { keyId, privateKey, entry: { keyId, status, outputPrefixType: 'TINK', keyData } };
}

function signature({ keyId, privateKey }: SigningKey, body = BODY): string {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(1);
  prefix.writeUInt32BE(keyId, 1);
  return Buffer.concat([prefix, sign('sha256', body, privateKey)]).toString('base64');
}

function serve(...keys: SigningKey[]): void {
  server.answer(
    json(200, { primaryKeyId: keys[0]?.keyId, key: [{ keyId: 'odd' }, ...keys.map(({ entry }) => entry)] }),
  );
}

function checker(mode: string | undefined) {
  const { checkSignature } = googleWebhook(new SignatureKeys(() => nowMs));
  const configuration = {
    scope: '',
    addresses: { api: '', authorize: '', token: '', keyset: `${server.origin}/keyset.json` },
    values: { WEBHOOK_SIGNATURE: mode },
  };
  return (headers: Record<string, string>, body = BODY) => checkSignature?.(headers, body, configuration);
}

const first = makeKey(2_873_465_123);
const second = makeKey(7);

it('accepts a valid signature under both header names', async () => {
  serve(first, second);
  const check = checker('enforce');
  expect(await check({ [CURRENT]: signature(first) })).toEqual({ verdict: 'accept' });
  expect(await check({ 'x-healthapi-signature': signature(second) })).toEqual({ verdict: 'accept' });
  expect(server.seen).toHaveLength(1);
});

it('rejects a changed body, another key, and a missing or malformed header', async () => {
  serve(first, second);
  const check = checker('enforce');
  const rejection = (problem: string) => ({ verdict: 'refuse', problem });
  expect(await check({ [CURRENT]: signature(first) }, Buffer.from('[]'))).toEqual(rejection('wrong'));
  expect(await check({ [CURRENT]: signature({ ...second, keyId: first.keyId }) })).toEqual(rejection('wrong'));
  expect(await check({})).toEqual(rejection('missing'));
  const otherPrefix = Buffer.from(signature(first), 'base64').fill(2, 0, 1).toString('base64');
  for (const header of ['', '!', 'AQ==', otherPrefix, 'A'.repeat(600)]) {
    expect(await check({ [CURRENT]: header })).toEqual(rejection('malformed'));
  }
  expect(await check({ [CURRENT]: signature(first).slice(0, 20) })).toEqual(rejection('wrong'));
});

it('rejects a disabled key', async () => {
  const old = makeKey(9, 'DISABLED');
  serve(first, old);
  expect(await checker('enforce')({ [CURRENT]: signature(old) })).toEqual({
    verdict: 'refuse',
    problem: 'unknown_key',
  });
});

it('fetches keys once despite forged key IDs', async () => {
  serve(first);
  const check = checker('enforce');
  await check({ [CURRENT]: signature(first) });
  nowMs += 2 * MS_PER_MINUTE;
  serve(second, first);
  expect(await check({ [CURRENT]: signature(second) })).toEqual({ verdict: 'accept' });
  for (let keyId = 100; keyId < 110; keyId += 1) {
    expect(await check({ [CURRENT]: signature({ ...first, keyId }) })).toMatchObject({ problem: 'unknown_key' });
  }
  expect(server.seen).toHaveLength(1);
});

it('requests redelivery while keys are unavailable and not cached', async () => {
  server.answer(json(503, {}));
  expect(await checker('enforce')({ [CURRENT]: signature(first) })).toEqual({
    verdict: 'later',
    problem: 'keys_unavailable',
  });
  serve(first);
  const check = checker('enforce');
  await check({ [CURRENT]: signature(first) });
  nowMs += 24 * 60 * MS_PER_MINUTE;
  server.answer(json(503, {}));
  expect(await check({ [CURRENT]: signature(first) })).toEqual({ verdict: 'accept' });
  expect(server.seen).toHaveLength(1);
});

it('reports an accepted missing signature only in log mode', async () => {
  serve(first);
  expect(await checker('log')({})).toEqual({ verdict: 'accept', problem: 'missing' });
  for (const mode of ['off', undefined]) expect(await checker(mode)({})).toEqual({ verdict: 'accept' });
});
