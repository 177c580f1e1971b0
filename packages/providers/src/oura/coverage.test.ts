import { MS_PER_DAY } from '@healthd/model';
import { startOuraSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { emittedCoverage } from '../testing/emitted-coverage.js';
import { OURA_CLOUD } from './cloud.js';
import { OURA_COVERAGE } from './coverage.js';
import { OURA_PULL } from './pull/index.js';
import { OURA_WEBHOOK } from './webhook.js';

const NOW = '2026-05-10T20:00:00Z';

it('Oura gives exactly what its coverage declares', async () => {
  const simulator = await startOuraSimulator({ autoConsent: true, now: NOW });
  try {
    await simulator.control.setForms({ stress: 'measured' });
    await simulator.control.addAccount({ id: 'ada' });
    await simulator.control.seedHistory('ada', { seed: 3, days: 40 });
    const endMs = Date.parse(NOW);
    const range = { startMs: endMs - 40 * MS_PER_DAY, endMs };
    expect(await emittedCoverage(OURA_CLOUD, simulator, 'ada', range)).toEqual(OURA_COVERAGE);
  } finally {
    await simulator.close();
  }
});

it('the kinds of data that count as notified are those that Oura has events for', () => {
  const notified = OURA_PULL.dataTypes.filter((type) => type.notified).map(({ id }) => id);
  expect(notified).toEqual(OURA_WEBHOOK.dataTypes);
});
