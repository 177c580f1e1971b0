import {
  type PolarDated,
  type PolarExercise,
  type PolarSimulator,
  type PolarTest,
  startPolarSimulator,
} from '@healthd/simulators';
import { openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';
import { hoursAgo, iso, localText, offsetAt, testVendorLives } from '../../support/vendor-life.js';

const UNBOUNDED = 1_000_000;
const LATE_HOURS = 10 * 24;

testVendorLives<PolarSimulator['control'], VendorFixture<PolarSimulator>>({
  id: 'polar',
  open: async () => {
    const limits = { perQuarter: UNBOUNDED, perDay: UNBOUNDED };
    const simulator = await startPolarSimulator({ autoConsent: true, limits });
    return openVendorFixture('polar', simulator, {
      values: { READ_SAMPLES: 'true' },
    });
  },
  async start(control, account, { timeZone, days, random }) {
    await control.addAccount({ id: account, timeZone });
    await control.seedHistory(account, { seed: random.integer(1, 900), days: days + 2 });
  },
  async subscribe({ control, reading, service }) {
    const { connections } = reading;
    const { cloud, configuration } = connections.configurationOf('polar') ?? {};
    if (!configuration || !cloud?.subscribers) throw new Error('polar is not configured');
    const url = `${service.url}/api/v1/providers/polar/webhooks`;
    await connections.givenSecrets.ensure('polar', cloud.subscribers, configuration, url);
    await control.holdDeliveries(true);
  },
  send: (control, sending) => control.flushDeliveries(sending),
  async repeat(control, random) {
    const sent = await control.deliveries();
    const one = sent[random.integer(0, sent.length - 1)];
    if (one) await control.sendEvent(one.event);
  },
  async change(control, moment) {
    const { account, timeZone, random, notify } = moment;
    if (random.chance(0.4)) {
      const startMs = hoursAgo(moment, 3, LATE_HOURS);
      const exercise: PolarExercise = {
        id: `own${random.integer(0, 2)}`,
        upload_time: iso(moment.nowMs),
        start_time: localText(timeZone, startMs),
        start_time_utc_offset: offsetAt(timeZone, startMs),
        duration: `PT${random.integer(5, 90)}M`,
        calories: random.integer(50, 700),
        sport: 'OTHER',
        detailed_sport_info: random.pick(['RUNNING', 'FITNESS_PILATES']),
      };
      return control.put(account, { exercises: [exercise] }, { notify });
    }
    if (random.chance(0.2)) {
      const tests = await control.items(account, 'spo2');
      const test = tests.at(-1 - random.integer(0, 2));
      const test_status = random.pick(['SPO2_TEST_PASSED', 'SPO2_TEST_INCONCLUSIVE_TOO_MUCH_MOVEMENT']);
      const changed = { blood_oxygen_percent: random.integer(90, 99), test_status };
      if (test) await control.put(account, { spo2: [{ ...(test as PolarTest), ...changed }] });
      return;
    }
    if (random.chance(0.5)) {
      const nights = (await control.items(account, 'sleep')) as PolarDated[];
      const night = nights.at(-1 - random.integer(0, 4));
      if (night) await control.put(account, { sleep: [{ ...night, sleep_score: random.integer(40, 99) }] }, { notify });
      return;
    }
    const days = (await control.items(account, 'heartRates')) as PolarDated[];
    const day = days.at(-1 - random.integer(0, 4));
    if (!day) return;
    const samples = (day.heart_rate_samples as object[]).filter(() => random.chance(0.8));
    await control.put(account, { heartRates: [{ ...day, heart_rate_samples: samples }] }, { notify });
  },
  lateHours: 200,
  states: ['height', 'weight', 'vo2_max', 'resting_heart_rate'],
  truth: async (control, account) => {
    const { nights, exercises } = await control.truth(account);
    return { sleeps: nights, workouts: exercises };
  },
});
