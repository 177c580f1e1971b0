import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type SuuntoSimulator, startSuuntoSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';

const UNBOUNDED = 1_000_000;
const LIFE = { seed: 7, days: 6 };
let fixture: VendorFixture<SuuntoSimulator>;
beforeAll(async () => {
  const limits = { perMinute: UNBOUNDED, perWeek: UNBOUNDED };
  fixture = await openVendorFixture('suunto', await startSuuntoSimulator({ autoConsent: true, limits }));
});
afterAll(() => fixture.close());

const setClock = (ms: number) => fixture.control.setClock(new Date(ms).toISOString());

it.each(
  (['whole', 'duration_only'] as const).flatMap((messages) =>
    (['current', 'behind'] as const).map((list) => ({ messages, list })),
  ),
)('keeps nights and recoveries from notifications: $messages, list $list', async ({ messages, list }) => {
  const nowMs = Date.now();
  await fixture.control.reset();
  await fixture.control.setForms({ messages, list, stages: 'all', awake: 'given' });
  await fixture.control.addAccount({ id: 'ada', userId: `merika-${messages}-${list}`, timeZone: 'UTC' });
  const ada = await fixture.connect('ada');
  await fixture.control.setWebhook({ url: `${fixture.service.url}/api/v1/providers/suunto/webhooks` });
  await setClock(nowMs - 1.5 * MS_PER_DAY);
  await fixture.control.seedHistory('ada', LIFE);
  await setClock(nowMs);
  const { length: knownBefore } = (await fixture.control.truth('ada')).sleeps;
  await fixture.control.growHistory('ada', LIFE);
  await fixture.reading.settle();
  const { sleeps, recoveries } = await fixture.control.truth('ada');
  const stored = async () =>
    (await fixture.nights(ada.userKey)).map(({ start_at, asleep_seconds }) => [start_at.getTime(), asleep_seconds]);
  const scores = async () =>
    (await fixture.scores(ada.userKey)).filter(({ id }) => id.startsWith('recovery/')).map(({ value }) => value);
  await fixture.pull(ada);
  const isUnknown = messages === 'duration_only' && list === 'behind';
  expect(sleeps.length).toBeGreaterThan(knownBefore);
  expect(await stored()).toEqual(
    sleeps.map(({ startMs, asleepSeconds }, n) => [startMs, isUnknown && n >= knownBefore ? null : asleepSeconds]),
  );
  expect(await scores()).toEqual(recoveries.map(({ percent }) => percent));
  await setClock(nowMs + 2 * MS_PER_HOUR);
  await fixture.pull(ada);
  expect(await stored()).toEqual(sleeps.map(({ startMs, asleepSeconds }) => [startMs, asleepSeconds]));
  expect(await scores()).toEqual(recoveries.map(({ percent }) => percent));
});
