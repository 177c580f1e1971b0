import { MS_PER_DAY } from '@healthd/model';
import { startOuraSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { emittedCoverage } from '../testing/emitted-coverage.js';
import { OURA } from './provider.js';

const NOW = '2026-05-10T20:00:00Z';

it('emits exactly the declared coverage of Oura', async () => {
  const simulator = await startOuraSimulator({ autoConsent: true, now: NOW });
  try {
    await simulator.control.setForms({ stress: 'measured' });
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 40 });
    const endMs = Date.parse(NOW);
    const range = { startMs: endMs - 40 * MS_PER_DAY, endMs };
    expect(await emittedCoverage(OURA.cloud, simulator, 'ada', range)).toEqual(OURA.coverage);
  } finally {
    await simulator.close();
  }
});
