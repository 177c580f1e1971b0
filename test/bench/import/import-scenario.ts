import { createPool } from '@healthd/daemon/platform/database';
import { type DaemonProcess, startDaemon } from '../daemon-process.js';
import { memoryMb } from '../process-load.js';
import type { BenchOptions, Scenario } from '../scenario.js';
import { sizeText } from '../sizes.js';
import { exportFile, otherExportFile, removeExportFiles } from './export-file.js';
import { readSamplesOf } from './file-samples.js';
import { type Floor, measureFloor } from './floor.js';
import { importFigures, importTables, importVerdicts } from './import-figures.js';
import { type MeasuredImport, measureImport } from './measured-import.js';
import { type TableSize, tableSizes } from './table-sizes.js';

/** Size from which one repetition is enough. Such an import is slow, and long enough to average out noise. */
const LARGE_BYTES = 1e9;

/** One repetition, on a separate database. */
export interface ImportRepetition extends Floor {
  first: MeasuredImport;
  /** Import of the same file for the same user again. */
  second: MeasuredImport;
  /** Replacement by another file of the same size: `tried` is the dry run, `replaced` is the import. */
  tried: MeasuredImport;
  replaced: MeasuredImport;
  readSeconds: number;
  samplesRead: number;
  idleDaemonMemoryMb?: number;
  postgresVersion: string;
  tables: TableSize[];
}

/** All repetitions with a file of one size. */
export interface MeasuredSize {
  fileBytes: number;
  repetitions: ImportRepetition[];
}

export const importScenario: Scenario = {
  name: 'import',
  help: 'an export file from its upload to the last row and roll-up, against COPY and upsert of the same rows',
  async run(options) {
    const sizes: MeasuredSize[] = [];
    try {
      for (const bytes of options.exportBytes) sizes.push(await measureSize(bytes, options));
    } finally {
      if (!options.keep) await removeExportFiles();
    }
    return { tables: importTables(sizes), verdicts: importVerdicts(sizes), figures: importFigures(sizes) };
  },
};

async function measureSize(targetBytes: number, options: BenchOptions): Promise<MeasuredSize> {
  process.stderr.write(`Generating an export of ${sizeText(targetBytes)} …\n`);
  const [file, other] = [await exportFile(targetBytes), await otherExportFile(targetBytes)];
  const count = options.repeat ?? (file.bytes < LARGE_BYTES ? 3 : 1);
  const repetitions: ImportRepetition[] = [];
  for (let n = 1; n <= count; n++) {
    process.stderr.write(`Importing ${sizeText(file.bytes)}, ${n} of ${count} …\n`);
    repetitions.push(await repetition(file, other, options));
  }
  return { fileBytes: file.bytes, repetitions };
}

async function repetition(
  file: { path: string; bytes: number },
  other: { path: string; bytes: number },
  { profileDir }: BenchOptions,
): Promise<ImportRepetition> {
  const daemon = await startDaemon(profileDir === undefined ? {} : { profileDir });
  try {
    const idleDaemonMemoryMb = memoryMb(daemon.pid);
    const user = await daemon.post<{ id: string }>('/api/v1/users', {});
    const postgresVersion = await settled(daemon);
    const first = await measureImport(daemon, user.id, file);
    const tables = await tableSizes(daemon.databaseUrl);
    await settled(daemon);
    const second = await measureImport(daemon, user.id, file);
    const { readSeconds, ...samples } = await readSamplesOf(file.path);
    await settled(daemon);
    const tried = await measureImport(daemon, user.id, other, { mode: 'replace', dry_run: true });
    const replaced = await measureImport(daemon, user.id, other, { mode: 'replace' });
    const floor = await measureFloor(daemon.databaseUrl, { ...samples, readSeconds });
    return {
      ...floor,
      first,
      second,
      tried,
      replaced,
      readSeconds,
      samplesRead: samples.samples,
      postgresVersion,
      tables,
      ...(idleDaemonMemoryMb === undefined ? {} : { idleDaemonMemoryMb }),
    };
  } finally {
    await daemon.stop();
  }
}

/** Flushes dirty pages of earlier work. Otherwise the next measurement would include the flush. */
async function settled({ databaseUrl }: DaemonProcess): Promise<string> {
  const pool = createPool({ url: databaseUrl, max: 1 });
  try {
    await pool.query('checkpoint');
    const { rows } = await pool.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await pool.end();
  }
}
