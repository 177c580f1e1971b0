import { startDaemon } from '../daemon-process.js';
import type { BenchOptions, Scenario } from '../scenario.js';
import { type MeasuredReads, measureReads } from './measured-reads.js';
import { readFigures, readTables, readVerdicts } from './read-figures.js';
import { storeUsers } from './stored-users.js';

/** All measurements at one number of stored samples. */
export interface MeasuredStore extends MeasuredReads {
  samples: number;
  samplesOfLarge: number;
  loadSeconds: number;
}

export const readScenario: Scenario = {
  name: 'read',
  help: 'summaries, time series and events of 200 users, against a prepared statement on the same rows',
  async run(options) {
    const stores: MeasuredStore[] = [];
    for (const samples of options.samples) stores.push(await measureStore(samples, options));
    return { tables: readTables(stores), verdicts: readVerdicts(stores), figures: readFigures(stores) };
  },
};

async function measureStore(samples: number, { profileDir }: BenchOptions): Promise<MeasuredStore> {
  const daemon = await startDaemon(profileDir === undefined ? {} : { profileDir });
  try {
    process.stderr.write(`Storing ${samples.toLocaleString('en-US')} samples of 200 users …\n`);
    const stored = await storeUsers(daemon, samples);
    process.stderr.write('Reading …\n');
    const reads = await measureReads(daemon, stored);
    const { samplesOfLarge, loadSeconds } = stored;
    return { ...reads, samples: stored.samples, samplesOfLarge, loadSeconds };
  } finally {
    await daemon.stop();
  }
}
