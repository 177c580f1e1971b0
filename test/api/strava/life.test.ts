import {
  type StravaActivity,
  type StravaControl,
  type StravaSimulator,
  startStravaSimulator,
} from '@healthd/simulators';
import { openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';
import { hoursAgo, iso, type Moment, testVendorLives } from '../../support/vendor-life.js';

const UNBOUNDED = 1_000_000;
const ROLL_UPS = ['day_value', 'day_minutes', 'night_value'];

/** Returns one of three activities. A change of the time appears in the vendor's lists without a notification. */
function activity(moment: Moment): StravaActivity {
  const { random } = moment;
  const seconds = random.integer(600, 5_400);
  return {
    id: 14_500_000_001 + random.integer(0, 2),
    name: random.pick(['Lunch', 'Evening']),
    sport_type: random.pick(['Run', 'Ride', 'Yoga']),
    start_date: `${iso(hoursAgo(moment, 2, 40)).slice(0, 19)}Z`,
    utc_offset: random.pick([0, 3_600, -28_800, 45_900]),
    elapsed_time: seconds,
    moving_time: seconds,
    distance: random.integer(0, 12_000),
    visibility: random.pick(['everyone', 'only_me']),
  };
}

testVendorLives<StravaControl, VendorFixture<StravaSimulator>>({
  id: 'strava',
  open: async () => {
    const limits = { perQuarter: UNBOUNDED, perDay: UNBOUNDED, readsPerQuarter: UNBOUNDED, readsPerDay: UNBOUNDED };
    const simulator = await startStravaSimulator({ autoConsent: true, limits });
    return openVendorFixture('strava', simulator, {
      values: { READ_STREAMS: 'true' },
    });
  },
  async start(control, account, { timeZone, days, random }) {
    await control.addAccount({ id: account, timeZone });
    await control.seedHistory(account, { seed: random.integer(1, 900), days: days + 2 });
  },
  async subscribe({ control, reading, service }) {
    const { cloud, configuration } = reading.connections.configurationOf('strava') ?? {};
    if (!configuration) throw new Error('strava is not configured');
    const url = `${service.url}/api/v1/providers/strava/webhooks`;
    await cloud?.subscribers?.ensure(configuration, url, { replaces: 'any' });
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
    if (random.chance(0.6)) {
      const one = activity(moment);
      // The vendor reports new names, types and visibilities only, so each change has a new name.
      const name = `${one.name} ${random.integer(0, 999_999)}`;
      return control.put(account, { activities: [{ ...one, name }] }, { notify });
    }
    const { activities } = await control.truth(account);
    const recent = activities.filter(({ startMs }) => startMs > moment.nowMs - 44 * 3_600_000);
    const one = recent[random.integer(0, recent.length - 1)];
    if (one) await control.remove(account, Number(one.id), { notify });
  },
  lateHours: 40,
  states: [],
  truth: async (control, account) => {
    const { activities } = await control.truth(account);
    const meters = activities.reduce((sum, one) => sum + Math.round(one.meters ?? 0), 0);
    return { workouts: activities, sleeps: [], figures: { meters } };
  },
  figures: (rows) => {
    const workouts = rows.filter(({ table }) => table === 'workout');
    return { meters: workouts.reduce((sum, one) => sum + Math.round(Number(one.distance_meters ?? 0)), 0) };
  },
  isNotified: ({ table }) => !ROLL_UPS.includes(table),
});
