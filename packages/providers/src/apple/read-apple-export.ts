import { ExportError, type ExportLimits, readExport } from '@healthd/apple-export';
import type { FileSink } from '../files/index.js';
import { exportContents } from './export-contents.js';
import { EXPORT_DATE, ExportReading } from './export-reading.js';
import type { AppleExportReport } from './import-report.js';
import { TIME_ZONE_KEY } from './named-offset.js';

/**
 * Samples per batch. Twice this size needs 20 MB more and is not faster, because several batches are in memory at once.
 */
const DEFAULT_BATCH_SAMPLES = 25_000;

export interface AppleExportOptions {
  limits?: Partial<ExportLimits>;
  /** Maximum number of samples in a batch; 25,000 by default. */
  batchSamples?: number;
}

/**
 * Reads an export file (`.xml`, `.xml.gz`, `.zip`) into batches of unified records. Memory does not grow with the file.
 * The report contains faults of the file (`failure`, `truncated`), after all data before the fault was emitted. Throws
 * only errors of the file system and of the sink.
 */
export async function readAppleExport(
  path: string,
  sink: FileSink,
  options: AppleExportOptions = {},
): Promise<AppleExportReport> {
  const reading = new ExportReading(options.batchSamples ?? DEFAULT_BATCH_SAMPLES);
  const report: AppleExportReport = {
    truncated: false,
    elements: {},
    samples: 0,
    sleepStages: 0,
    workouts: 0,
    rejected: reading.tally.rejections.report,
    unsupported: {},
    unsupportedElements: {},
    unsupportedFiles: {},
  };
  const handOver = async () => {
    for (let batch = reading.ready.shift(); batch; batch = reading.ready.shift()) await sink.onBatch(batch);
  };
  try {
    const summary = await readExport(
      path,
      {
        onRecord: (record) => reading.record(record),
        onElement: (element) => reading.element(element),
        onChunk: async (progress) => {
          await handOver();
          await sink.onProgress?.(progress);
        },
      },
      {
        limits: options.limits,
        wholeElements: ['Workout', 'Me', EXPORT_DATE],
        metadataKeys: [TIME_ZONE_KEY],
        beatLists: true,
      },
    );
    report.format = summary.format;
    report.truncated = summary.truncated;
    report.elements = { Record: summary.recordCount, ...summary.elementCounts };
    report.unsupportedElements = reading.tally.unsupportedElements(summary);
    report.unsupportedFiles = summary.otherFiles;
    report.contents = exportContents(summary, { ...reading.counts, workoutParts: reading.tally.workoutParts });
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    report.failure = { code: error.code, message: error.message };
  }
  reading.flush();
  await handOver();
  const { samples, sleepStages, workouts, exportedAtMs } = reading;
  return { ...report, unsupported: reading.tally.unsupported(), samples, sleepStages, workouts, exportedAtMs };
}
