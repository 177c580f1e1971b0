import { MS_PER_DAY } from '@healthd/model';
import { startPolarSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { emittedCoverage } from '../testing/emitted-coverage.js';
import { POLAR } from './provider.js';
import { POLAR_WITH_SAMPLES } from './testing/with-samples.js';
import { EVENTS, POLAR_WEBHOOK } from './webhook.js';

const SAMPLED_SERIES = ['cadence', 'elevation', 'latitude', 'longitude', 'power', 'speed'];
const SAMPLED_FIELDS = ['elev_high', 'elev_low'];

it.each([
  ['with readings', POLAR_WITH_SAMPLES, POLAR.coverage],
  [
    'without readings',
    POLAR.cloud,
    {
      ...POLAR.coverage,
      series: POLAR.coverage.series.filter((code) => !SAMPLED_SERIES.includes(code)),
      workoutFields: POLAR.coverage.workoutFields.filter((field) => !SAMPLED_FIELDS.includes(field)),
    },
  ],
])('Polar supplies exactly its declared coverage, %s of exercises', async (_, cloud, coverage) => {
  const simulator = await startPolarSimulator({ autoConsent: true, limits: { perQuarter: 10_000 } });
  try {
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 40 });
    await simulator.control.setMember('ada', 'registered before');
    const endMs = Date.now();
    const range = { startMs: endMs - 40 * MS_PER_DAY, endMs };
    expect(await emittedCoverage(cloud, simulator, 'ada', range, 'totalCaloriesKcal')).toEqual(coverage);
  } finally {
    await simulator.close();
  }
});

it('rereads notified data types, recharges and loads after events', () => {
  const notified = POLAR.cloud.pull.dataTypes.filter((type) => type.notified).map(({ id }) => id);
  expect(notified).toHaveLength(EVENTS.length);
  expect(new Set(POLAR_WEBHOOK.dataTypes)).toEqual(new Set([...notified, 'nightly-recharge', 'cardio-load']));
});
