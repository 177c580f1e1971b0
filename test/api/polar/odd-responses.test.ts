import { startPolarSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { oddVersions } from '../../../packages/providers/src/testing/odd-versions.js';
import { openVendorFixture } from '../../support/vendor-fixture.js';

/** Collections of the simulator, with the path that lists them and the member that contains the items. */
const LISTS = [
  ['exercises', 'exercises', undefined],
  ['activities', 'users/activities', undefined],
  ['heartRates', 'users/continuous-heart-rate', 'heart_rates'],
  ['recharges', 'users/nightly-recharge', 'recharges'],
  ['cardioLoads', 'users/cardio-load/date', undefined],
  ['alertness', 'users/sleepwise/alertness/date', undefined],
  ['bedtimes', 'users/sleepwise/circadian-bedtime/date', undefined],
  ['bodyTemperatures', 'users/biosensing/bodytemperature', undefined],
  ['skinTemperatures', 'users/biosensing/skintemperature', undefined],
  ['spo2', 'users/biosensing/spo2', undefined],
  ['ecg', 'users/biosensing/ecg', undefined],
  // This path is a prefix of the sleep analysis paths. The service reads the longer paths first.
  ['sleep', 'users/sleep', 'nights'],
] as const;

it('stores good items next to malformed list members without failing a type', async () => {
  const simulator = await startPolarSimulator({ autoConsent: true });
  const fixture = await openVendorFixture('polar', simulator);
  try {
    await fixture.control.addAccount({ id: 'ada', timeZone: 'America/Phoenix' });
    await fixture.control.seedHistory('ada', { seed: 7, days: 12 });
    const ada = await fixture.connect('ada');
    await fixture.reading.settle();
    const before = await fixture.everything(ada.userKey);
    expect(before.length).toBeGreaterThan(100);
    const nights = await fixture.control.items('ada', 'sleep');
    const available = nights.map(({ date, sleep_start_time: start_time, sleep_end_time: end_time }) => ({
      date,
      start_time,
      end_time,
    }));
    const clock = { kind: 'error', status: 200, body: { available }, path: '/sleep/available' } as const;
    await fixture.control.addFault({ ...clock, times: null });
    for (const [collection, path, member] of LISTS) {
      const items = await fixture.control.items('ada', collection);
      const odd = oddVersions(items[1]).flatMap(({ versions }) => versions);
      const list = [...odd, ...items];
      const body = member === undefined ? list : { [member]: list };
      await fixture.control.addFault({ kind: 'error', status: 200, body, path: `/v3/${path}`, times: null });
    }
    const run = await fixture.pull(ada);
    const reports = run?.metadata.data_types as Record<string, { status: string; error?: string }>;
    for (const [dataType, report] of Object.entries(reports)) {
      expect(report, dataType).toMatchObject({ status: 'success' });
    }
    expect(run).toMatchObject({ status: 'success' });
    const after = new Set(await fixture.everything(ada.userKey));
    expect(before.filter((row) => !after.has(row))).toEqual([]);
  } finally {
    await fixture.close();
  }
});
