import { describe, expect, it } from 'vitest';
import { type ProviderConfiguration, VendorError } from '../cloud/index.js';
import { callbackFaultOf, GARMIN_CALLBACKS } from './callbacks.js';
import { GARMIN_OAUTH } from './oauth.js';
import { readGarminError } from './read-error.js';
import { dateOf } from './summaries/place.js';

describe('the URL of a ping', () => {
  const configuration = { addresses: { api: 'https://apis.garmin.com/wellness-api/rest' } } as ProviderConfiguration;
  const request = (url: string) => GARMIN_CALLBACKS.request(url, configuration);

  it('is followed with its token to a path directly below the API', () => {
    expect(request('https://apis.garmin.com/wellness-api/rest/dailies?token=a&id=7')).toMatchObject({
      path: '/dailies',
      query: { token: 'a', id: '7' },
    });
  });

  it.each([
    'https://apis.garmin.com.example/wellness-api/rest/dailies',
    'http://apis.garmin.com/wellness-api/rest/dailies',
    'https://user@apis.garmin.com/wellness-api/rest/dailies',
    'https://:secret@apis.garmin.com/wellness-api/rest/dailies',
    'https://apis.garmin.com/other/rest/dailies',
    'https://apis.garmin.com/wellness-api/restdailies',
    'https://apis.garmin.com/wellness-api/rest/user/registration',
    'https://apis.garmin.com/wellness-api/rest/',
    'dailies',
  ])('is rejected if it is %s', (url) => {
    expect(request(url)).toBeUndefined();
  });

  it('may return a list or an empty response', async () => {
    const itemsOf = (text: string) => GARMIN_CALLBACKS.itemsOf('dailies', {}, Buffer.from(text));
    expect((await itemsOf(' [{}]')).toString()).toBe(' [{}]');
    expect((await itemsOf('')).toString()).toBe('[]');
    await expect(itemsOf('{}')).rejects.toThrow(VendorError);
  });

  it('is replaced by an error code if the fetch fails', () => {
    const failed = GARMIN_CALLBACKS.failed({ userId: 'u', callbackURL: 'https://x.example' }, 'unavailable');
    expect(failed).toEqual({ userId: 'u', callbackFault: 'unavailable' });
    expect(callbackFaultOf(failed as Record<string, unknown>)).toBe('unavailable');
    expect(GARMIN_CALLBACKS.failed('odd', 'unavailable')).toEqual({ callbackFault: 'unavailable' });
  });
});

describe('a rejected request', () => {
  const read = (status: number, message: unknown, headers = {}) =>
    readGarminError(status, message, new Headers(headers));
  const early = (text: string) => read(400, { errorMessage: `start ${text} before min start time of ${text}` });

  it.each([
    ['1700000000', Date.UTC(2023, 10, 14, 22, 13, 20)],
    ['1700000000001', Date.UTC(2023, 10, 14, 22, 13, 21)],
    ['99999999999', 99_999_999_999_000],
    ['100000000000', 100_000_000_000],
    ['2026-03-10T00:00:00.5Z.', Date.UTC(2026, 2, 10, 0, 0, 1)],
    ['soon', undefined],
  ])('names the earliest start %s, read as %s', (text, earliestMs) => {
    expect(early(text)).toEqual({ code: 'range_too_early', ...(earliestMs !== undefined && { earliestMs }) });
  });

  it.each([
    [412, {}, {}, { code: 'scope_missing' }],
    [429, {}, {}, { code: 'rate_limited', retryAfterMs: 60_000 }],
    [429, {}, { 'retry-after': '5' }, undefined],
    [400, { message: 'Endpoint not enabled' }, {}, { code: 'operator' }],
    [400, { error_description: 'before minimum start time' }, {}, { code: 'range_too_early' }],
    [400, { message: 'odd' }, {}, undefined],
    [400, 'before min start time', {}, undefined],
    [500, { message: 'Endpoint not enabled' }, {}, undefined],
  ])('with status %i, body %j and headers %j is read as %j', (status, body, headers, expected) => {
    if (expected === undefined) expect(read(status, body, headers)).toBeUndefined();
    else expect(read(status, body, headers)).toMatchObject(expected);
  });
});

describe('the identity of an account', () => {
  const identify = (permissions: unknown, id: unknown = { userId: 'u-1' }) =>
    GARMIN_OAUTH.identify({
      call: async ({ path }: { path: string }) => {
        if (path === '/id') return id;
        if (permissions instanceof Error) throw permissions;
        return permissions;
      },
    } as never);

  it.each([
    [{ permissions: ['B', 'A', 'B'] }, 'A B'],
    [['HEALTH_EXPORT', 'odd name', 7, ''], 'HEALTH_EXPORT'],
    [{ permissions: 'A' }, undefined],
    [new VendorError({ code: 'unavailable' }), undefined],
  ])('has the permissions of %j', async (permissions, scope) => {
    expect(await identify(permissions)).toEqual({ userId: 'u-1', scope });
  });

  it('is required', async () => {
    await expect(identify([], {})).rejects.toMatchObject({ code: 'invalid_answer', reason: 'user_id' });
    await expect(identify([], 'u-1')).rejects.toMatchObject({ code: 'invalid_answer' });
  });

  it('does not hide other failures', async () => {
    await expect(identify(new TypeError('broken'))).rejects.toThrow(TypeError);
  });
});

it.each(['2026-3-1', '+012026-03-10', '2026-02-31x', '2026-13-01', 7, null])('rejects %j as a date', (value) => {
  expect(dateOf(value)).toBeUndefined();
});
