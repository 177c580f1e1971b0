import { MS_PER_DAY } from '@healthd/model';
import { startWhoopSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { emittedCoverage } from '../testing/emitted-coverage.js';
import { WHOOP } from './provider.js';

const NOW = '2026-05-10T20:00:00Z';

it('emits exactly the declared coverage of WHOOP', async () => {
  const simulator = await startWhoopSimulator({ autoConsent: true, now: NOW });
  try {
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 25 });
    const endMs = Date.parse(NOW);
    const range = { startMs: endMs - 25 * MS_PER_DAY, endMs };
    expect(await emittedCoverage(WHOOP.cloud, simulator, 'ada', range, 'totalCaloriesKcal')).toEqual(WHOOP.coverage);
  } finally {
    await simulator.close();
  }
});
