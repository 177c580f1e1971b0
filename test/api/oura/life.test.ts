import { type OuraControl, type OuraDocument, type OuraSimulator, startOuraSimulator } from '@healthd/simulators';
import { seriesTypeByCode } from '@healthd/model';
import { openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';
import { iso, startOf, testVendorLives } from '../../support/vendor-life.js';

const HEART_RATE = seriesTypeByCode('heart_rate').id;
const ROLL_UPS = ['day_value', 'day_minutes', 'night_value'];
const LATE_HOURS = 6 * 24;

testVendorLives<OuraControl, VendorFixture<OuraSimulator>>({
  id: 'oura',
  open: async () => {
    const simulator = await startOuraSimulator({ autoConsent: true, limits: { perFiveMinutes: 1_000_000 } });
    return openVendorFixture('oura', simulator);
  },
  async start(control, account, { timeZone, days, random }) {
    await control.setForms({
      type: random.pick(['given', 'null']),
      sums: random.pick(['all', 'without_total', 'phases']),
      stress: random.pick(['measured', 'zeros']),
    });
    await control.addAccount({ id: account, timeZone });
    await control.seedHistory(account, { seed: random.integer(1, 900), days: days + 2 });
  },
  async subscribe({ control, reading, service }) {
    const { cloud, configuration } = reading.connections.configurationOf('oura') ?? {};
    if (!configuration) throw new Error('oura is not configured');
    await cloud?.subscribers?.ensure(configuration, `${service.url}/api/v1/providers/oura/webhooks`);
    await control.holdDeliveries(true);
  },
  send: (control, sending) => control.flushDeliveries(sending),
  async repeat(control, random) {
    const sent = await control.deliveries();
    const one = sent[random.integer(0, sent.length - 1)];
    if (one) await control.sendEvent(one.event);
  },
  async change(control, moment) {
    const { account, random, notify } = moment;
    const which = random.integer(0, 3);
    const own = `own-${which}-${random.integer(0, 2)}`;
    const { startMs, notify: isReported } = startOf(moment, own, { from: 3, to: LATE_HOURS });
    const endMs = startMs + random.integer(20, 120) * 60_000;
    const offset = random.pick(['+02:00', '-08:00', '+00:00']);
    const local = (ms: number) => {
      const shifted = iso(ms + Date.parse('2026-01-01T00:00:00Z') - Date.parse(`2026-01-01T00:00:00${offset}`));
      return `${shifted.slice(0, 19)}${offset}`;
    };
    if (which === 0) {
      const workout: OuraDocument = {
        id: own,
        day: local(startMs).slice(0, 10),
        activity: random.pick(['running', 'yoga']),
        calories: random.integer(50, 500),
        // A workout's distance is always null or always known, because an unknown value never overwrites a known value.
        distance: own.endsWith('0') ? null : random.integer(0, 9_000),
        start_datetime: local(startMs),
        end_datetime: local(endMs),
      };
      await control.put(account, { workout: [workout] }, { notify: isReported });
    } else if (which === 1) {
      const nap: OuraDocument = {
        id: own,
        day: local(startMs).slice(0, 10),
        type: random.pick(['sleep', 'late_nap']),
        bedtime_start: local(startMs),
        bedtime_end: local(endMs),
        time_in_bed: (endMs - startMs) / 1_000,
        lowest_heart_rate: random.integer(44, 60),
        low_battery_alert: false,
        period: 0,
      };
      await control.put(account, { sleep: [nap] }, { notify: isReported });
    } else {
      const { sleeps, workouts } = await control.truth(account);
      const list = (which === 2 ? sleeps : workouts).filter(
        ({ startMs: at }) => at > moment.nowMs - LATE_HOURS * 3_600_000,
      );
      const one = list[random.integer(0, list.length - 1)];
      if (one) await control.remove(account, which === 2 ? 'sleep' : 'workout', one.id, { notify });
    }
  },
  lateHours: 100,
  states: ['height', 'weight'],
  truth: async (control, account) => {
    const { sleeps, workouts, heartRates } = await control.truth(account);
    return { sleeps, workouts, figures: { heartRates: new Set(heartRates.map(({ atMs }) => atMs)).size } };
  },
  figures: (rows) => ({
    heartRates: rows.filter(({ table, type_id: type }) => table === 'sample' && type === HEART_RATE).length,
  }),
  // The offset of a deleted item still dates readings without an offset, so their days may differ.
  isReadable: ({ table, type_id: type }) => table !== 'day_minutes' && (table !== 'day_value' || type !== HEART_RATE),
  // The vendor sends no notifications for heart rates.
  isNotified: ({ table, type_id: type }) => !ROLL_UPS.includes(table) && type !== HEART_RATE,
});
