import { MS_PER_DAY } from '@healthd/model';
import { startUltrahumanSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { emittedCoverage } from '../testing/emitted-coverage.js';
import { ULTRAHUMAN } from './provider.js';

const NOW = '2026-05-10T20:00:00Z';

it('emits exactly the declared coverage of Ultrahuman', async () => {
  const simulator = await startUltrahumanSimulator({ autoConsent: true, now: NOW });
  try {
    await simulator.control.setForms({ night: 'stages' });
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 5 });
    const endMs = Date.parse(NOW);
    const range = { startMs: endMs - 5 * MS_PER_DAY, endMs };
    expect(await emittedCoverage(ULTRAHUMAN.cloud, simulator, 'ada', range)).toEqual(ULTRAHUMAN.coverage);
  } finally {
    await simulator.close();
  }
});
