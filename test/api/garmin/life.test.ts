import type { GarminControl, GarminItem, GarminItems, GarminSimulator } from '@healthd/simulators';
import type { VendorFixture } from '../../support/vendor-fixture.js';
import { testVendorLives } from '../../support/vendor-life.js';
import { openGarminFixture } from './garmin-fixture.js';

const EDITS: readonly [keyof GarminItems, (item: GarminItem, change: number) => GarminItem][] = [
  ['activities', (item, change) => ({ ...item, distanceInMeters: 1_000 + change, activityName: `Run ${change}` })],
  ['bodyComps', (item, change) => ({ ...item, weightInGrams: 60_000 + change })],
  ['bloodPressures', (item, change) => ({ ...item, systolic: 110 + (change % 20) })],
];

testVendorLives<GarminControl, VendorFixture<GarminSimulator>>({
  id: 'garmin',
  open: () =>
    openGarminFixture({
      historicalSyncOnConnect: true,
      simulator: { limits: { requestsPerMinute: 1_000_000, exportDaysPerMinute: 1_000_000 } },
    }),
  async start(control, account, { timeZone, days, random }) {
    await control.addAccount({ id: account, timeZone, hasCycles: random.chance(0.5) });
    await control.setForms(account, {
      delivery: random.pick(['push', 'ping']),
      night: random.pick(['whole', 'levels_only', 'member_missing']),
      repeatsRecorded: random.chance(0.5),
      announcesFiles: random.chance(0.5),
    });
    await control.seedHistory(account, { seed: random.integer(1, 900), days: days + 2 });
  },
  subscribe: ({ control, service }) =>
    control.setPushTarget({
      url: `${service.url}/api/v1/providers/garmin/webhooks`,
      deliveries: 'held',
      batchSize: 40,
    }),
  send: (control, sending) => control.flushPushes(sending),
  async change(control, { account, random }) {
    const items = await control.summaries(account);
    const [key, edited] = EDITS[random.integer(0, EDITS.length - 1)]!;
    const list = items[key] ?? [];
    const item = list[random.integer(0, list.length - 1)];
    if (!item) return;
    const { userId: _, ...own } = edited(item, random.integer(1, 9_999));
    // Delivers pending pushes before the edit. Edits have no version, so the last edit to arrive counts.
    await control.flushPushes();
    await control.put(account, { [key]: [own] });
    const details = key === 'activities' ? items.activityDetails : [];
    const detail = details?.find(({ activityId }) => activityId === own.activityId);
    if (detail) {
      const { userId: _user, ...rest } = detail;
      await control.put(account, { activityDetails: [{ ...rest, summary: own }] });
    }
    await control.flushPushes();
  },
  polls: false,
  expires: true,
  lateHours: 60,
  states: [],
  // The vendor exports no edited activities.
  isReadable: ({ table, user_entered }) => table !== 'workout' || user_entered !== true,
  truth: async (control, account) => {
    const { nights, naps, activities } = await control.truth(account);
    const sleeps = [...nights.map((one) => ({ ...one, nap: false })), ...naps.map((one) => ({ ...one, nap: true }))];
    return { sleeps, workouts: activities.filter(({ isManual }) => !isManual) };
  },
});
