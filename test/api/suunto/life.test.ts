import {
  type SuuntoControl,
  type SuuntoSimulator,
  type SuuntoWorkout,
  startSuuntoSimulator,
} from '@healthd/simulators';
import { openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';
import { hoursAgo, offsetAt, testVendorLives } from '../../support/vendor-life.js';

const UNBOUNDED = 1_000_000;
const LATE_MS = 5 * 86_400_000;

testVendorLives<SuuntoControl, VendorFixture<SuuntoSimulator>>({
  id: 'suunto',
  open: async () => {
    const limits = { perMinute: UNBOUNDED, perWeek: UNBOUNDED };
    const simulator = await startSuuntoSimulator({ autoConsent: true, limits });
    return openVendorFixture('suunto', simulator, {
      values: { READ_FIT_FILES: 'true' },
    });
  },
  async start(control, account, { timeZone, days, random }) {
    await control.setForms({
      stages: random.pick(['all', 'without_rem', 'null_rem']),
      awake: random.pick(['given', 'missing']),
      figures: random.pick(['listed', 'in_file']),
      files: random.pick(['whole', 'truncated', 'wrong_checksum', 'unfinished']),
      messages: random.pick(['whole', 'duration_only']),
      list: random.pick(['current', 'behind']),
    });
    await control.addAccount({ id: account, timeZone });
    await control.seedHistory(account, { seed: random.integer(1, 900), days });
  },
  async subscribe({ control, service }) {
    await control.setWebhook({ url: `${service.url}/api/v1/providers/suunto/webhooks` });
    await control.holdDeliveries(true);
  },
  send: (control, sending) => control.flushDeliveries(sending),
  async repeat(control, random) {
    const sent = await control.deliveries();
    const one = sent[random.integer(0, sent.length - 1)];
    if (one) await control.sendEvent(one.event);
  },
  async change(control, moment) {
    const { account, timeZone, random, notify, nowMs } = moment;
    if (random.chance(0.7)) {
      const startTime = hoursAgo(moment, 3, 100);
      const totalTime = random.integer(600, 5_400);
      const workout: SuuntoWorkout = {
        workoutKey: `66a1f0c2d4b9e7735c1e0b4${random.integer(0, 2)}`,
        activityId: random.pick([1, 2, 51]),
        startTime,
        totalTime,
        stopTime: startTime + totalTime * 1_000,
        totalDistance: random.integer(0, 9_000),
        timeOffsetInMinutes: offsetAt(timeZone, startTime),
      };
      return control.put(account, { workouts: [workout] }, { notify });
    }
    // Keeps at least one workout, because the service deletes nothing if the vendor's list is empty.
    const { workouts } = await control.truth(account);
    const recent = workouts.filter(({ startMs }) => startMs > nowMs - LATE_MS);
    const one = recent[random.integer(0, recent.length - 1)];
    if (one && recent.length > 1) await control.removeWorkout(account, one.id);
  },
  lateHours: 100,
  states: [],
  truth: async (control, account) => {
    const { sleeps, workouts } = await control.truth(account);
    return { sleeps: sleeps.map(({ isNap, ...sleep }) => ({ ...sleep, nap: isNap })), workouts };
  },
});
