import { startUltrahumanSimulator, type UltrahumanSimulator } from '@healthd/simulators';
import { openVendorFixture, type VendorFixture } from '../../support/vendor-fixture.js';
import { testVendorLives } from '../../support/vendor-life.js';

const DAYS = 3;

testVendorLives<UltrahumanSimulator['control'], VendorFixture<UltrahumanSimulator>>({
  id: 'ultrahuman',
  open: async () => {
    const simulator = await startUltrahumanSimulator({ autoConsent: true });
    return openVendorFixture('ultrahuman', simulator);
  },
  async start(control, account, { timeZone, days, random }) {
    await control.setForms({
      day: random.pick(['list', 'map', 'flat']),
      night: random.pick(['stages', 'members', 'graph', 'quick', 'partial']),
      variability: random.pick(['metric', 'quick']),
      saturation: random.pick(['readings', 'average', 'sleep']),
      score: random.pick(['both', 'inside', 'trend']),
      hasMidnight: random.chance(0.7),
      isAway: random.chance(0.2),
    });
    await control.addAccount({ id: account, timeZone });
    await control.seedHistory(account, { seed: random.integer(1, 900), days: days + 2 });
  },
  async change(control, { account, random }) {
    const day = (await control.truth(account)).at(-1 - random.integer(0, DAYS - 1));
    if (!day) return;
    const { sleep } = day;
    // Keeps at least one reading and the night. The service deletes nothing if a whole series or night is missing.
    const some = day.heartRate.filter(({ value }, at) => at === 0 || value === null || random.chance(0.8));
    if (random.chance(0.5)) await control.putDays(account, [{ ...day, heartRate: some }]);
    else if (sleep) {
      const later = { ...sleep, start: sleep.start + 60 * random.integer(0, 20), score: random.integer(1, 99) };
      const stages = sleep.stages.filter(({ start }) => start >= later.start);
      await control.putDays(account, [{ ...day, sleep: { ...later, stages } }]);
    }
  },
  lateHours: 60,
  states: [],
  truth: async (control, account) => {
    const nights = (await control.truth(account)).flatMap(({ sleep }) => sleep ?? []);
    return { sleeps: nights.map(({ start, end }) => ({ startMs: start * 1_000, endMs: end * 1_000 })), workouts: [] };
  },
});
