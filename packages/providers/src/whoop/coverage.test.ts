import { MS_PER_DAY } from '@healthd/model';
import { startWhoopSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { emittedCoverage } from '../testing/emitted-coverage.js';
import { WHOOP_CLOUD } from './cloud.js';
import { WHOOP_COVERAGE } from './coverage.js';
import { WHOOP_PULL } from './pull/index.js';
import { WHOOP_WEBHOOK } from './webhook.js';

const NOW = '2026-05-10T20:00:00Z';

it('WHOOP gives exactly what its coverage declares', async () => {
  const simulator = await startWhoopSimulator({ autoConsent: true, now: NOW });
  try {
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 25 });
    const endMs = Date.parse(NOW);
    const range = { startMs: endMs - 25 * MS_PER_DAY, endMs };
    expect(await emittedCoverage(WHOOP_CLOUD, simulator, 'ada', range, 'totalCaloriesKcal')).toEqual(WHOOP_COVERAGE);
  } finally {
    await simulator.close();
  }
});

it('the kinds of data that count as notified are those that WHOOP has events for', () => {
  const notified = WHOOP_PULL.dataTypes.filter((type) => type.notified).map(({ id }) => id);
  expect(notified).toEqual(WHOOP_WEBHOOK.dataTypes);
});
