import type { WhoopControl, WhoopSimulator } from '@healthd/simulators';
import type { VendorFixture } from '../../support/vendor-fixture.js';
import { iso, startOf, testVendorLives } from '../../support/vendor-life.js';
import { openWhoopFixture } from './whoop-fixture.js';

const id = (kind: number, n: number) => `9a1f7f7a-8d70-4c3f-9b0e-0c5a3d9f${kind}e2${n}`;

testVendorLives<WhoopControl, VendorFixture<WhoopSimulator>>({
  id: 'whoop',
  open: () =>
    openWhoopFixture({
      simulator: { limits: { perMinute: 1_000_000, perDay: 1_000_000 } },
    }),
  async start(control, account, { timeZone, days, random }) {
    await control.addAccount({ id: account, timeZone });
    await control.seedHistory(account, { seed: random.integer(1, 900), days: days + 2 });
  },
  subscribe: ({ control, service }) =>
    control.setWebhook({ url: `${service.url}/api/v1/providers/whoop/webhooks`, deliveries: 'held' }),
  send: (control, sending) => control.flushDeliveries(sending),
  async repeat(control, random) {
    const sent = await control.deliveries();
    const one = sent[random.integer(0, sent.length - 1)];
    if (one) await control.sendEvent(one.event);
  },
  async change(control, moment) {
    const { account, random, notify } = moment;
    const which = random.integer(0, 3);
    const own = id(which, random.integer(0, 2));
    const { startMs, notify: isReported } = startOf(moment, own, { from: 3, to: 44 });
    const times = { start: iso(startMs), end: iso(startMs + random.integer(10, 120) * 60_000) };
    const offset = { timezone_offset: random.pick(['+02:00', '-08:00', 'Z']) };
    if (which === 0) {
      const workout = { id: own, sport_name: random.pick(['running', 'yoga']), ...times };
      await control.put(account, { workouts: [{ ...workout, ...offset }] }, { notify: isReported });
    } else if (which === 1) {
      const nap = { id: own, cycle_id: 7, nap: true, ...times, ...offset };
      await control.put(account, { sleeps: [nap] }, { notify: isReported });
    } else {
      const { sleeps, workouts } = await control.truth(account);
      const list = (which === 2 ? sleeps : workouts).filter(({ startMs: at }) => at > moment.nowMs - 60 * 3_600_000);
      const one = list[random.integer(0, list.length - 1)];
      if (one) await control.remove(account, which === 2 ? 'sleep' : 'workout', one.id, { notify });
    }
  },
  lateHours: 44,
  states: ['height', 'weight'],
  truth: async (control, account) => await control.truth(account),
  // The vendor sends no notifications for cycles.
  isNotified: ({ table, external_id }) =>
    !['day_value', 'day_minutes', 'night_value'].includes(table) && !String(external_id).startsWith('cycle/'),
});
