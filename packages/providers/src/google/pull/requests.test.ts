import { MS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { type TimeRange, type VendorApi, VendorError, type VendorRequest } from '../../cloud/index.js';
import { GOOGLE_PULL } from './adapter.js';
import { samplesOf } from './testing/held.js';
import { MODES } from './testing/modes.js';
import { answering } from './testing/responses.js';

const ACCOUNT = { timeZone: 'Europe/Berlin', scopes: new Set<string>() };
const range = (from: string, to: string): TimeRange => ({ startMs: Date.parse(from), endMs: Date.parse(to) });
const WINDOW = range('2026-04-02T00:00:00Z', '2026-04-03T00:00:00Z');

async function sentRequests(type: string, mode: keyof typeof MODES, window = WINDOW): Promise<VendorRequest[]> {
  const { api, sentRequests } = answering({});
  await GOOGLE_PULL.read(api, type, window, MODES[mode], ACCOUNT);
  return sentRequests;
}

describe('requests for points', () => {
  it.each([
    ['steps', 10_000, 'steps.interval.start_time', '2026-04-02T00:00:00.000Z', '2026-04-03T00:00:00.000Z'],
    [
      'heart-rate',
      10_000,
      'heart_rate.sample_time.physical_time',
      '2026-04-02T00:00:00.000Z',
      '2026-04-03T00:00:00.000Z',
    ],
    ['daily-resting-heart-rate', 10_000, 'daily_resting_heart_rate.date', '2026-04-02', '2026-04-04'],
    ['hydration-log', 10_000, 'hydration_log.interval.civil_start_time', '2026-04-01T10:00:00', '2026-04-03T14:00:00'],
    ['exercise', 25, 'exercise.interval.civil_start_time', '2026-03-30T10:00:00', '2026-04-05T14:00:00'],
    ['sleep', 25, 'sleep.interval.end_time', '2026-04-02T00:00:00.000Z', '2026-04-05T00:00:00.000Z'],
  ])('of %s contain %i per page, filtered by %s', async (type, pageSize, member, from, to) => {
    const [request, ...others] = await sentRequests(type, 'reconcile');
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      path: `/v4/users/me/dataTypes/${type}/dataPoints:reconcile`,
      query: { pageSize, filter: `${member} >= "${from}" AND ${member} < "${to}"` },
    });
  });

  it.each([
    ['reconcile', 'steps', 'dataPoints:reconcile'],
    ['list', 'steps', 'dataPoints'],
    ['list', 'daily-resting-heart-rate', 'dataPoints'],
    ['list', 'sleep', 'dataPoints'],
    // Types without lists or roll-ups are read from the merged stream.
    ['list', 'floors', 'dataPoints:reconcile'],
    ['hourly', 'height', 'dataPoints:reconcile'],
    ['daily', 'sleep', 'dataPoints:reconcile'],
    ['hourly', 'steps', 'dataPoints:rollUp'],
    ['daily', 'steps', 'dataPoints:dailyRollUp'],
    ['list', 'total-calories', 'dataPoints:rollUp'],
    ['daily', 'total-calories', 'dataPoints:dailyRollUp'],
  ] as const)('in mode %s read %s by %s', async (mode, type, operation) => {
    const [request] = await sentRequests(type, mode);
    expect(request?.path).toBe(`/v4/users/me/dataTypes/${type}/${operation}`);
  });

  it.each(['weight', 'body-fat'])('read %s per source if the merged stream has no points', async (type) => {
    const paths = (await sentRequests(type, 'reconcile')).map(({ path }) => path.split('/').at(-1));
    expect(paths).toEqual(['dataPoints:reconcile', 'dataPoints']);
  });

  it('follow page tokens with the same filter', async () => {
    const requests: VendorRequest[] = [];
    const pages = [{ nextPageToken: 'a' }, { dataPoints: [], nextPageToken: 'b' }, { nextPageToken: '' }];
    const api: VendorApi = { call: async (request) => pages[requests.push(request) - 1] };
    await GOOGLE_PULL.read(api, 'steps', WINDOW, MODES.reconcile, ACCOUNT);
    expect(requests.map(({ query }) => query?.pageToken)).toEqual([undefined, 'a', 'b']);
    expect(new Set(requests.map(({ query }) => query?.filter)).size).toBe(1);
  });

  // Treating an invalid response as an empty window would delete stored data.
  it.each([
    [undefined],
    ['<html>'],
    [[]],
    [{ dataPoints: 'none' }],
    [{ error: { code: 500, message: 'Internal error' } }],
    [{ dataPoints: [], nextPageToken: 7 }],
  ])('reject the response %j', async (response) => {
    const api: VendorApi = { call: async () => response };
    const reading = GOOGLE_PULL.read(api, 'steps', WINDOW, MODES.reconcile, ACCOUNT);
    await expect(reading).rejects.toMatchObject({ code: 'invalid_answer' });
  });
});

it('stops endless paging before memory is full', async () => {
  let pages = 0;
  const dataPoints = Array.from({ length: 10_000 }, () => 'no point');
  const api: VendorApi = { call: async () => ({ dataPoints, nextPageToken: `page ${pages++}` }) };
  const reading = GOOGLE_PULL.read(api, 'steps', WINDOW, MODES.reconcile, ACCOUNT);
  await expect(reading).rejects.toMatchObject({ code: 'invalid_answer', reason: 'too_many_points' });
  expect(pages).toBe(101);
});

describe('requests for roll-ups', () => {
  it('cover whole hours on one page', async () => {
    const [request] = await sentRequests('heart-rate', 'hourly', range('2026-04-02T14:37:00Z', '2026-04-04T10:01:00Z'));
    expect(request).toMatchObject({
      method: 'POST',
      repeatable: true,
      body: {
        range: { startTime: '2026-04-02T14:00:00.000Z', endTime: '2026-04-04T11:00:00.000Z' },
        windowSize: '3600s',
        pageSize: 45,
      },
    });
  });

  it('cover civil days as plain numbers without a page size', async () => {
    const [request] = await sentRequests('steps', 'daily', range('2026-04-01T22:00:00Z', '2026-04-08T22:00:00Z'));
    expect(request?.body).toEqual({
      range: {
        start: { date: { year: 2026, month: 4, day: 2 } },
        end: { date: { year: 2026, month: 4, day: 9 } },
      },
      windowSizeDays: 1,
      pageToken: undefined,
    });
  });

  it('fall back to windows of local days if civil days are rejected', async () => {
    const bodies: { range: { startTime: string }; windowSize: string; pageSize: number }[] = [];
    const api: VendorApi = {
      async call({ path, body }) {
        if (path.endsWith('dailyRollUp')) throw new VendorError({ code: 'invalid_request', status: 400 });
        const sentRequests = body as (typeof bodies)[number] & { range: { endTime: string } };
        bodies.push(sentRequests);
        const { startTime } = sentRequests.range;
        const endTime = new Date(
          Date.parse(startTime) + Number.parseInt(sentRequests.windowSize, 10) * 1000,
        ).toISOString();
        return { rollupDataPoints: [{ startTime, endTime, steps: { countSum: '10' } }] };
      },
    };
    const window = range('2026-03-26T23:00:00Z', '2026-03-30T22:00:00Z');
    const { batch } = await GOOGLE_PULL.read(api, 'steps', window, MODES.daily, ACCOUNT);
    expect(bodies.map(({ windowSize, pageSize }) => [windowSize, pageSize])).toEqual([
      ['86400s', 2] as const,
      ['82800s', 1] as const,
      ['86400s', 1] as const,
    ]);
    const days = samplesOf(batch);
    expect(days.map(({ sampleKind }) => sampleKind)).toEqual(['daily_total', 'daily_total', 'daily_total']);
    expect(days.map(({ durationMs = 0 }) => durationMs / MS_PER_HOUR)).toEqual([24, 23, 24]);
  });
});

describe('unsupported operation', () => {
  const refusing = (rejectedPath: string): VendorApi => ({
    async call({ path }) {
      if (!path.includes(rejectedPath)) return {};
      throw new VendorError({ code: 'invalid_request', status: 400, reason: 'UNSUPPORTED_DATA_TYPE_ACTION' });
    },
  });
  const read = (type: string, rejectedPath: string) =>
    GOOGLE_PULL.read(refusing(rejectedPath), type, WINDOW, MODES.reconcile, ACCOUNT);

  it.each([
    ['floors', '/floors/'],
    ['active-minutes', '/active-minutes/'],
    ['run-vo2-max', '/daily-vo2-max/'],
    ['heart-rate-variability', '/daily-heart-rate-variability/'],
  ])('leaves %s empty if the vendor does not support %s', async (type, rejectedPath) => {
    expect(await read(type, rejectedPath)).toMatchObject({ received: 0, rejections: { total: 0 } });
  });

  it('falls back to hourly sums for active minutes', async () => {
    const point = {
      startTime: '2026-11-10T08:00:00Z',
      endTime: '2026-11-10T09:00:00Z',
      activeMinutes: { activeMinutesRollupByActivityLevel: [{ activityLevel: 'LIGHT', activeMinutesSum: '12' }] },
    };
    const api: VendorApi = {
      async call({ path }) {
        if (path.endsWith(':rollUp')) return { rollupDataPoints: [point] };
        throw new VendorError({ code: 'invalid_request', status: 400, reason: 'UNSUPPORTED_DATA_TYPE_ACTION' });
      },
    };
    const window = { startMs: Date.parse('2026-11-10T00:00:00Z'), endMs: Date.parse('2026-11-11T00:00:00Z') };
    const { batch } = await GOOGLE_PULL.read(api, 'active-minutes', window, MODES.reconcile, ACCOUNT);
    expect(samplesOf(batch)).toMatchObject([{ value: 12, durationMs: MS_PER_HOUR }]);
  });

  it('reports an error for steps', async () => {
    await expect(read('steps', '/steps/')).rejects.toMatchObject({ reason: 'UNSUPPORTED_DATA_TYPE_ACTION' });
  });
});

it('rejects an unknown data type', async () => {
  const { api } = answering({});
  const reading = GOOGLE_PULL.read(api, 'altitude', WINDOW, MODES.reconcile, ACCOUNT);
  await expect(reading).rejects.toMatchObject({ code: 'invalid_request', reason: 'unknown_data_type' });
});
