import { MS_PER_DAY } from '@healthd/model';
import { startSuuntoSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { emittedCoverage } from '../testing/emitted-coverage.js';
import { SUUNTO_DELIVERIES } from './deliveries.js';
import { SUUNTO } from './provider.js';
import { SUUNTO_WITH_FIT_FILES } from './testing/with-fit-files.js';

const IN_FILES_ONLY: ReadonlySet<string> = new Set(['speed', 'cadence', 'power', 'elevation', 'latitude', 'longitude']);
const NOW = '2026-05-10T20:00:00Z';

it.each([
  ['with FIT files', SUUNTO_WITH_FIT_FILES, SUUNTO.coverage],
  [
    'without FIT files',
    SUUNTO.cloud,
    { ...SUUNTO.coverage, series: SUUNTO.coverage.series.filter((code) => !IN_FILES_ONLY.has(code)) },
  ],
])('Suunto supplies exactly its declared coverage, %s', async (_, cloud, coverage) => {
  const limits = { perMinute: 1_000, perWeek: 1_000 };
  const simulator = await startSuuntoSimulator({ autoConsent: true, now: NOW, limits });
  try {
    await simulator.control.setForms({ stages: 'all', awake: 'given', figures: 'listed', files: 'whole' });
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 25 });
    const endMs = Date.parse(NOW);
    const range = { startMs: endMs - 25 * MS_PER_DAY, endMs };
    expect(await emittedCoverage(cloud, simulator, 'ada', range, 'totalCaloriesKcal')).toEqual(coverage);
  } finally {
    await simulator.close();
  }
});

it('declares exactly the data types that Suunto pushes as notified', () => {
  const notified = SUUNTO.cloud.pull.dataTypes.filter((type) => type.notified).map(({ id }) => id);
  expect(notified.toSorted()).toEqual(SUUNTO_DELIVERIES.dataTypes.map(({ id }) => id).toSorted());
});
