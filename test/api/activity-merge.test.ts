import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRecords } from '../support/recorded-user.js';
import { PHONE, sample, WATCH } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

describe.each(['source', 'interval'] as const)('with ACTIVITY_MERGE=%s', (activityMerge) => {
  let service: TestService;
  let summaries: string;
  beforeAll(async () => {
    service = await startTestService({ settings: { activityMerge } });
    const userId = (await service.call('POST', '/api/v1/users')).body.id;
    summaries = `/api/v1/users/${userId}/summaries/activity`;
    await writeRecords(service, (await service.users.find(userId))?.userKey ?? 0, [
      sample('steps', '2026-03-10T08:00:00Z', 1000, { source: WATCH, minutes: 60 }),
      sample('steps', '2026-03-10T08:30:00Z', 1200, { source: PHONE, minutes: 60 }),
    ]);
  });
  afterAll(() => service.stop());

  const get = async (path: string) => service.call('GET', `${summaries}${path}`);
  const range = '?start_date=2026-03-10&end_date=2026-03-11';

  test('applies the setting unless the request overrides the setting', async () => {
    const expected = { source: 1000, interval: 1600 };
    const stepsOf = async (merge: string) => (await get(`${range}${merge}`)).body.data[0].steps;
    expect(await stepsOf('')).toBe(expected[activityMerge]);
    expect(await stepsOf('&merge=source')).toBe(1000);
    expect(await stepsOf('&merge=interval')).toBe(1600);
    for (const [query, merge] of [
      ['', activityMerge],
      ['&merge=source', 'source'],
      ['&merge=interval', 'interval'],
    ] as const) {
      const { status, body } = await get(`/explain?date=2026-03-10${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ date: '2026-03-10', merge, metrics: [{ type: 'steps', value: expected[merge] }] });
    }
  });

  test('rejects an invalid merge parameter or date', async () => {
    const expectRejected = async (path: string) => {
      const { status, body } = await get(path);
      expect(status).toBe(422);
      return body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc, type]);
    };
    expect(await expectRejected(`${range}&merge=sum`)).toEqual([[['query', 'merge'], 'enum']]);
    expect(await expectRejected('/explain')).toEqual([[['query', 'date'], 'missing']]);
    expect(await expectRejected('/explain?date=someday&merge=x')).toEqual([
      [['query', 'date'], 'datetime_parsing'],
      [['query', 'merge'], 'enum'],
    ]);
  });

  test('accepts the earliest and latest possible dates', async () => {
    for (const date of ['1900-01-01', '9999-12-31', '2026-03-10T23:59:59Z']) {
      expect((await get(`/explain?date=${date}&merge=interval`)).status).toBe(200);
    }
  });
});
