import { MS_PER_DAY } from '@healthd/model';
import { startStravaSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { emittedCoverage } from '../testing/emitted-coverage.js';
import { STRAVA } from './provider.js';
import { STRAVA_WITH_STREAMS } from './testing/with-streams.js';
import { STRAVA_WEBHOOK } from './webhook.js';

const NOW = '2026-05-10T20:00:00Z';

it.each([
  ['with streams', STRAVA_WITH_STREAMS, STRAVA.coverage],
  ['without streams', STRAVA.cloud, { ...STRAVA.coverage, series: [] }],
])('Strava supplies exactly its declared coverage, %s', async (_, cloud, coverage) => {
  const simulator = await startStravaSimulator({ autoConsent: true, now: NOW, limits: { readsPerQuarter: 10_000 } });
  try {
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 40 });
    const endMs = Date.parse(NOW);
    const range = { startMs: endMs - 40 * MS_PER_DAY, endMs };
    expect(await emittedCoverage(cloud, simulator, 'ada', range, 'totalCaloriesKcal')).toEqual(coverage);
  } finally {
    await simulator.close();
  }
});

it('declares exactly the data types with Strava events as notified', () => {
  const notified = STRAVA.cloud.pull.dataTypes.filter((type) => type.notified).map(({ id }) => id);
  expect(notified).toEqual(STRAVA_WEBHOOK.dataTypes);
});
