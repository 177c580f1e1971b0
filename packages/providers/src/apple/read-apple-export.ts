import { type ExportElement, ExportError, type ExportLimits, parseInstant, readExport } from '@healthd/apple-export';
import { BatchBuilder, type HealthRecord, type RecordBatch, type Rejected, ZoneSightings } from '@healthd/model';
import type { FileSink } from '../files/index.js';
import { type AppleExportReport, ImportTally } from './import-report.js';
import { mapPersonal } from './personal-mapper.js';
import { RecordMapper, TIME_ZONE_KEY } from './record-mapper.js';
import type { Unsupported } from './rejection.js';
import { mapWorkout } from './workout-mapper.js';

/** Twice as many are stored no faster and take 20 MB more: several batches are in memory at a time, in several forms. */
const DEFAULT_BATCH_SAMPLES = 25_000;

const EXPORT_DATE = 'ExportDate';

export interface AppleExportOptions {
  limits?: Partial<ExportLimits>;
  /** Samples that one batch holds at most; 25,000 by default. */
  batchSamples?: number;
}

/**
 * Reads an export file (`.xml`, `.xml.gz`, `.zip`) into batches of unified records, in memory that does not grow with
 * the file. What is wrong with the file is in the report (`failure`, `truncated`), after everything before the
 * fault has been handed over; only the file system's errors and the sink's own are thrown.
 */
export async function readAppleExport(
  path: string,
  sink: FileSink,
  options: AppleExportOptions = {},
): Promise<AppleExportReport> {
  const reading = new Reading(options.batchSamples ?? DEFAULT_BATCH_SAMPLES);
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
        onRecord: (record) => reading.take(reading.records.map(record)),
        onElement: (element) => reading.element(element),
        onChunk: async (progress) => {
          await handOver();
          await sink.onProgress?.(progress);
        },
      },
      { limits: options.limits, wholeElements: ['Workout', 'Me', EXPORT_DATE], metadataKeys: [TIME_ZONE_KEY] },
    );
    report.format = summary.format;
    report.truncated = summary.truncated;
    report.elements = { Record: summary.recordCount, ...summary.elementCounts };
    report.unsupportedElements = reading.tally.unsupportedElements(summary);
    report.unsupportedFiles = summary.otherFiles;
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    report.failure = { code: error.code, message: error.message };
  }
  reading.flush();
  await handOver();
  const { samples, sleepStages, workouts, exportedAtMs } = reading;
  return { ...report, unsupported: reading.tally.unsupported(), samples, sleepStages, workouts, exportedAtMs };
}

class Reading {
  private readonly sightings = new ZoneSightings('apple');
  readonly records = new RecordMapper(this.sightings);
  readonly tally = new ImportTally();
  readonly ready: RecordBatch[] = [];
  samples = 0;
  sleepStages = 0;
  workouts = 0;
  exportedAtMs: number | undefined;
  private readonly builder: BatchBuilder;
  private workoutIndex = 0;

  constructor(batchSamples: number) {
    this.builder = new BatchBuilder(batchSamples);
  }

  element(element: ExportElement): void {
    if (element.name === 'Workout') {
      this.tally.skipParts(element);
      for (const item of mapWorkout(element, this.workoutIndex++, this.sightings)) this.take(item);
    } else if (element.name === EXPORT_DATE) {
      this.exportedAtMs = parseInstant(element.attributes.get('value') ?? '')?.ms;
    } else {
      const personal = mapPersonal(element);
      if (personal) this.take(personal);
    }
  }

  take(item: HealthRecord | Rejected | Unsupported): void {
    switch (item.kind) {
      case 'rejected':
        this.tally.rejections.add(item);
        return;
      case 'unsupported':
        this.tally.skip(item);
        return;
      case 'sample':
        this.samples++;
        break;
      case 'sleep_stage':
        this.sleepStages++;
        break;
      case 'workout':
        this.workouts++;
        break;
      default:
    }
    this.builder.add(item);
    if (this.builder.full) this.handOn();
  }

  flush(): void {
    if (!this.builder.empty) this.handOn();
  }

  private handOn(): void {
    this.ready.push({ ...this.builder.take(), zones: this.sightings.take() });
  }
}
