import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HealthRecord, SampleRecord, SourceIdentity, WorkoutRecord } from '@healthd/model';
import { NO_OFFSET, SAMPLE_KIND_CODE, type SampleKind, seriesTypeById } from '@healthd/model';
import { type AppleExportOptions, readAppleExport } from '../read-apple-export.js';

/** Dates of a record: one minute in Warsaw's summer. */
export const DATES = 'startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 10:01:00 +0200"';

/** Returns a `Record` element with this type, unit and value. */
export function record(type: string, unit: string, value: string | number, dates = DATES, inside = ''): string {
  return `<Record type="${type}" sourceName="App" unit="${unit}" ${dates} value="${value}">${inside}</Record>\n`;
}

/** Reads elements as parts of an export. */
export async function readElements(elements: string, options: AppleExportOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'apple-'));
  try {
    const path = join(folder, 'export.xml');
    writeFileSync(path, `<HealthData>${elements}</HealthData>`);
    return await readFile(path, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads a file and converts its columns back into records. */
export async function readFile(path: string, options: AppleExportOptions = {}) {
  const records: HealthRecord[] = [];
  let batches = 0;
  const report = await readAppleExport(
    path,
    {
      onBatch: (batch) => {
        batches++;
        for (let row = 0; row < batch.samples.length; row++) records.push(sampleAt(batch.samples, batch.sources, row));
        records.push(...batch.records);
      },
    },
    options,
  );
  const of = <K extends HealthRecord['kind']>(kind: K) =>
    records.filter((one): one is Extract<HealthRecord, { kind: K }> => one.kind === kind);
  const samples = of('sample');
  const values = samples.map((one) => [seriesTypeById(one.typeId)?.code, Math.round(one.value * 1e6) / 1e6] as const);
  const workouts: WorkoutRecord[] = of('workout');
  return { report, batches, samples, values, workouts, stages: of('sleep_stage'), personal: of('personal') };
}

type Columns = Parameters<Parameters<typeof readAppleExport>[1]['onBatch']>[0]['samples'];

function sampleAt(columns: Columns, sources: SourceIdentity[], row: number): SampleRecord {
  const duration = columns.durationMs[row]!;
  const offset = columns.offsetMinutes[row]!;
  const kinds = Object.entries(SAMPLE_KIND_CODE) as [SampleKind, number][];
  return {
    kind: 'sample',
    source: sources[columns.sourceIndex[row]!]!,
    typeId: columns.typeId[row]!,
    startMs: columns.startMs[row]!,
    durationMs: Number.isNaN(duration) ? undefined : duration,
    offsetMinutes: offset === NO_OFFSET ? undefined : offset,
    value: columns.value[row]!,
    sampleKind: kinds.find(([, code]) => code === columns.kind[row])![0],
  };
}
