import { createHmac } from 'node:crypto';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { verificationToken } from '../rest/index.js';
import { callbackToken, readDelivery, STRAVA_WEBHOOK } from './webhook.js';

const NOW_MS = Date.parse('2026-05-10T20:00:00Z');
const CONFIGURATION = {
  clientId: 'c',
  clientSecret: 'hush',
  scope: '',
  addresses: { api: '', authorize: '', token: '' },
};

describe('the token of the registered URL', () => {
  const knows = (query: string, ...secrets: string[]) =>
    STRAVA_WEBHOOK.authenticate({ headers: {}, query: new URLSearchParams(query) }, Buffer.alloc(0), secrets);

  it('is required for every event', () => {
    expect(knows(`token=${callbackToken('hush')}`, 'hush')).toBe(true);
    expect(knows(`token=${callbackToken('hush')}`, 'new', 'hush')).toBe(true);
    for (const query of ['', 'token=', 'token=guessed', 'token=hush', `token=${callbackToken('')}`]) {
      expect(knows(query, 'hush'), query).toBe(false);
    }
    expect(knows(`token=${callbackToken('')}`, '')).toBe(false);
    expect(knows(`token=${callbackToken('hush')}`)).toBe(false);
  });

  it('differs from the challenge token and the secret', () => {
    expect(callbackToken('hush')).not.toBe(verificationToken(CONFIGURATION));
    expect(callbackToken('hush')).not.toContain('hush');
  });
});

describe('a signature', () => {
  // The published example of the format.
  const BODY =
    '{"object_type":"activity","object_id":1,"aspect_type":"create","updates":{},"owner_id":2,"subscription_id":3,"event_time":1746860000}';
  const check = (header: string | undefined, values: Record<string, string>, body = BODY) =>
    STRAVA_WEBHOOK.checkSignature?.(header === undefined ? {} : { 'x-strava-signature': header }, Buffer.from(body), {
      ...CONFIGURATION,
      values,
    });
  const KEY = { WEBHOOK_SIGNING_KEY: 'inv-secret' };
  const FOREVER = { ...KEY, WEBHOOK_TOLERANCE_SECONDS: '9999999999' };
  const EXAMPLE = 't=1746860000,v1=f6b9db2d89638b0047b0edcec984b0061f0da2f91b318fb949ebd5d4aa0ea0f4';
  const signed = (seconds: number) =>
    `t=${seconds},v1=${createHmac('sha256', 'inv-secret').update(`${seconds}.${BODY}`).digest('hex')}`;

  it('is not checked without a key', async () => {
    expect(await check('t=1,v1=wrong', {})).toEqual({ verdict: 'accept' });
    expect(await check(undefined, {})).toEqual({ verdict: 'accept' });
  });

  it.each([
    ['of the published example', EXAMPLE, FOREVER, BODY, { verdict: 'accept' }],
    ['of now', signed(Math.floor(Date.now() / 1000)), KEY, BODY, { verdict: 'accept' }],
    ['that is missing', undefined, FOREVER, BODY, { verdict: 'refuse', problem: 'missing' }],
    ['in another format', 'v1=abc', FOREVER, BODY, { verdict: 'refuse', problem: 'malformed' }],
    ['of another body', EXAMPLE, FOREVER, BODY.replace('1,', '7,'), { verdict: 'refuse', problem: 'wrong' }],
    [
      'of another key',
      EXAMPLE,
      { ...FOREVER, WEBHOOK_SIGNING_KEY: 'x' },
      BODY,
      { verdict: 'refuse', problem: 'wrong' },
    ],
    ['that is old', EXAMPLE, KEY, BODY, { verdict: 'refuse', problem: 'stale' }],
  ])('$0 gets the result $4', async (_, header, values, body, verdict) => {
    expect(await check(header, values, body)).toEqual(verdict);
  });
});

describe('a challenge', () => {
  const response = (change: Record<string, string>, configuration = { ...CONFIGURATION, values: {} }) => {
    const token = verificationToken(CONFIGURATION) ?? '';
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': '15f7', 'hub.verify_token': token, ...change };
    return STRAVA_WEBHOOK.respondToChallenge?.(new URLSearchParams(query), configuration);
  };

  it("gets a response only with this client's token", () => {
    expect(response({})).toEqual({ 'hub.challenge': '15f7' });
    expect(response({ 'hub.verify_token': 'STRAVA' })).toBeUndefined();
    expect(response({ 'hub.verify_token': '' })).toBeUndefined();
    expect(response({ 'hub.mode': 'unsubscribe' })).toBeUndefined();
    expect(response({}, { ...CONFIGURATION, clientSecret: '', values: {} })).toBeUndefined();
  });
});

describe('an event', () => {
  const event = (change: object) =>
    readDelivery(
      {
        object_type: 'activity',
        object_id: 14_500_000_001,
        aspect_type: 'create',
        updates: {},
        owner_id: 30_211_177,
        subscription_id: 120_475,
        event_time: 1_746_860_000,
        ...change,
      },
      NOW_MS,
    );
  const item = { providerUserId: '30211177', dataType: 'activity', itemId: '14500000001' };

  it.each([
    ['create', 'upsert'],
    ['update', 'upsert'],
    ['delete', 'delete'],
  ])('maps the change %s to the operation %s', (aspect_type, operation) => {
    expect(event({ aspect_type })).toEqual({
      kind: 'notifications',
      status: 200,
      notifications: [{ ...item, operation, ranges: [{ startMs: NOW_MS - 14 * MS_PER_DAY, endMs: NOW_MS }] }],
    });
  });

  it.each([
    ['a string', 'false'],
    ['a boolean', false],
  ])('reads the account again when an event revokes the consent with %s', (_, authorized) => {
    const ended = event({
      object_type: 'athlete',
      object_id: 30_211_177,
      aspect_type: 'update',
      updates: { authorized },
    });
    expect(ended).toMatchObject({
      notifications: [
        { providerUserId: '30211177', operation: 'upsert', ranges: [{ startMs: NOW_MS - MS_PER_HOUR, endMs: NOW_MS }] },
      ],
    });
  });

  it.each([
    ['about another athlete change', { object_type: 'athlete', aspect_type: 'update', updates: { weight: '70' } }],
    ['about an undocumented deletion of an athlete', { object_type: 'athlete', aspect_type: 'delete' }],
    ['about another object', { object_type: 'club' }],
    ['of an unknown change', { aspect_type: 'exploded' }],
    ['without an owner', { owner_id: null }],
    ['of an owner that is not a number', { owner_id: 'ada' }],
    ['without an activity', { object_id: undefined }],
  ])('%s is ignored with a 200', (_, change) => {
    expect(event(change)).toEqual({ kind: 'notifications', status: 200, notifications: [] });
  });

  it('rejects a body that is not an object', () => {
    expect(readDelivery([1], NOW_MS)).toEqual({ kind: 'unreadable' });
  });
});
