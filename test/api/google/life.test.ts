import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seriesTypeByCode } from '@healthd/model';
import type { GoogleControl } from '@healthd/simulators';
import { vi } from 'vitest';
import { atFileEnd } from '../../support/file-end.js';
import { hoursAgo, iso, type StoredRow, startOf, testVendorLives } from '../../support/vendor-life.js';
import { type GoogleFixture, openGoogleFixture } from './google-fixture.js';

/** Maximum delay of late data. Shorter than the two days that each poll reads again. */
const LATE_HOURS = 40;
const HEART_RATE = seriesTypeByCode('heart_rate').id;
const STEPS = seriesTypeByCode('steps').id;
const SESSIONS: readonly StoredRow['table'][] = ['sleep_session', 'sleep_stage', 'workout'];

const ofSeries = (rows: readonly StoredRow[], id: number) =>
  rows.filter(({ table, type_id: type }) => table === 'sample' && type === id);

testVendorLives<GoogleControl, GoogleFixture>({
  id: 'google',
  open: () => openGoogleFixture(),
  async start(control, account, { timeZone, days, random }) {
    await control.setBehaviour({
      emptyPage: random.pick(['bare', 'list', 'token']),
      dailyRollUpEnd: random.pick(['exclusive', 'inclusive']),
      sleepEndFilter: random.pick(['accepted', 'refused']),
      sessionCivilTimes: random.chance(0.5),
      reconciledName: random.pick(['dataPointName', 'name']),
      notificationBody: random.pick(['array', 'object']),
      notificationIntervals: random.pick([['physical', 'civil', 'iso'], ['physical'], ['iso']]),
      deliveries: 'held',
    });
    await control.addAccount({ id: account, timeZone });
    await control.seedHistory(account, { seed: random.integer(1, 900), days });
  },
  async subscribe({ control, reading, service, simulator }) {
    const { cloud, configuration } = reading.connections.configurationOf('google') ?? {};
    if (!configuration) throw new Error('google is not configured');
    const folder = mkdtempSync(join(tmpdir(), 'google-life-'));
    atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'key.json');
    writeFileSync(file, JSON.stringify(await control.serviceAccountKey()));
    const own = { SERVICE_ACCOUNT_FILE: file, PROJECT_ID: simulator.projectNumber, SUBSCRIBER_ID: 'a-life' };
    const values = { ...configuration.values, ...own };
    // Uses real time during this call, because service account tokens expire by the real clock.
    const nowMs = Date.now();
    vi.useRealTimers();
    await cloud?.subscribers?.ensure({ ...configuration, values }, `${service.url}/api/v1/providers/google/webhooks`);
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  },
  async send(control, { twice }) {
    await control.setBehaviour({ duplicateNotifications: twice });
    await control.flushDeliveries();
  },
  async change(control, moment) {
    const { account, random, notify } = moment;
    const which = random.integer(0, 4);
    const id = `own-${which}-${random.integer(0, 2)}`;
    const source = 'watch';
    if (which === 0) {
      const { startMs, notify: isReported } = startOf(moment, id, { from: 1, to: LATE_HOURS });
      const exerciseType = random.pick(['RUNNING', 'YOGA']);
      const times = { startTime: iso(startMs), endTime: iso(startMs + random.integer(10, 90) * 60_000) };
      const metricsSummary = { caloriesKcal: random.integer(50, 600) };
      const point = { dataType: 'exercise', id, source, ...times, value: { exerciseType, metricsSummary } } as const;
      await control.addPoints(account, [point], { notify: isReported });
    } else if (which < 4) {
      const startMs = hoursAgo(moment, 0.5, LATE_HOURS);
      const points = Array.from({ length: random.integer(1, 5) }, (_, minute) => ({
        dataType: which === 1 ? 'heart-rate' : 'steps',
        source: which === 2 ? ('phone' as const) : ('tracker' as const),
        startTime: iso(startMs + minute * 60_000),
        ...(which !== 1 && { endTime: iso(startMs + (minute + 1) * 60_000) }),
        value: random.integer(50, 140),
      }));
      await control.addPoints(account, points, { notify });
    } else {
      const from = hoursAgo(moment, 1, LATE_HOURS);
      const dataType = random.pick(['heart-rate', 'steps', 'sleep', 'exercise', 'weight']);
      const to = iso(from + random.integer(1, 300) * 60_000);
      await control.deletePoints(account, { dataType, from: iso(from), to });
    }
  },
  shortRuns: 1,
  lateHours: LATE_HOURS,
  states: [],
  truth: async (control, account) => {
    const sum = (points: readonly { value?: number }[]) => points.reduce((total, { value }) => total + (value ?? 0), 0);
    return {
      sleeps: await control.trueSleeps(account),
      workouts: await control.trueExercises(account),
      figures: {
        heartRates: (await control.truePoints(account, 'heart-rate', 'reconcile')).length,
        steps: sum(await control.truePoints(account, 'steps', 'reconcile')),
      },
    };
  },
  figures: (rows) => ({
    heartRates: ofSeries(rows, HEART_RATE).length,
    steps: ofSeries(rows, STEPS).reduce((total, { value }) => total + Number(value), 0),
  }),
  isNotified: (row) => SESSIONS.includes(row.table) || (row.table === 'sample' && row.type_id === STEPS),
});
