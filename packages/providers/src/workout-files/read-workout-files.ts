import { stat } from 'node:fs/promises';
import { BatchBuilder, type HealthRecord, type Rejected, RejectionTally, rejectionReason } from '@healthd/model';
import type { FileReadOptions, FileReport, FileSink } from '../files/index.js';
import {
  ArchiveLimitError,
  DOCUMENT_FAULTS,
  DocumentError,
  type DocumentFault,
  NoWorkoutError,
} from './document-fault.js';
import { documentsOf, type FoundDocument } from './documents.js';
import type { FileWorkout } from './file-workout.js';
import { readFitWorkout } from './fit-workout.js';
import { READING_SERIES, recordsOf, workoutFault } from './records.js';
import { XmlThread } from './xml-thread.js';

const DEFAULT_BATCH_SAMPLES = 25_000;
/** Number of series of a reading, so that a batch has space for at least one reading. */
const MOST_SAMPLES_A_READING = READING_SERIES.length + 2;
const DEFAULT_LIMITS = { maxUnpackedBytes: 32 * 2 ** 30, maxRatio: 200 };
/** Number of unreadable files that are listed with their name. Further files are only counted. */
const MAX_LISTED = 100;
const MAX_REASONS = 500;
/** Number of files that may exceed a limit of reading. An archive of many such files would block a worker for hours. */
const MAX_COSTLY = 5;
const COSTLY: ReadonlySet<DocumentFault> = new Set(['document_too_complex', 'document_too_slow']);

/**
 * Reads workout files (FIT, GPX, TCX), plain, gzipped or in a zip archive, into batches of unified records. Reads one
 * file at a time. Unreadable files do not affect the other files of the archive. Throws only errors of the file system
 * and of the sink.
 */
export async function readWorkoutFiles(
  path: string,
  sink: FileSink,
  { limits, batchSamples = DEFAULT_BATCH_SAMPLES }: Omit<FileReadOptions, 'signal'> = {},
): Promise<FileReport> {
  const reading = new FilesReading(sink, batchSamples);
  const { size } = await stat(path);
  const position = { bytes: 0 };
  let failure: DocumentFault | undefined;
  try {
    for await (const document of documentsOf(path, { ...DEFAULT_LIMITS, ...limits }, position)) {
      await reading.take(document);
      const bytesRead = Math.min(size, position.bytes);
      await sink.onProgress?.({ bytesRead, bytesTotal: size, recordsSeen: reading.files.read });
    }
  } catch (error) {
    if (!(error instanceof ArchiveLimitError)) throw error;
    failure = error.fault;
  } finally {
    await reading.close();
  }
  await reading.flush();
  return reading.report(failure);
}

/** State of reading one upload. */
class FilesReading {
  readonly files: NonNullable<FileReport['files']> = {
    read: 0,
    imported: 0,
    unreadable: 0,
    without_workout: 0,
    others: 0,
    problems: [],
  };
  private readonly xml = new XmlThread();
  private readonly builder: BatchBuilder;
  private readonly rejections = new RejectionTally(MAX_REASONS);
  private readonly formats: Record<string, number> = {};
  private readonly withoutWorkout: Record<string, number> = {};
  private readonly otherTypes: Record<string, number> = {};
  /** Upper bound of the samples in the builder. */
  private pendingSamples = 0;
  private isArchive = false;
  private isTruncated = false;
  private costly = 0;
  private firstFault: DocumentFault | undefined;

  constructor(
    private readonly sink: FileSink,
    private readonly batchSamples: number,
  ) {
    this.builder = new BatchBuilder(Math.max(batchSamples, MOST_SAMPLES_A_READING));
  }

  async take(document: FoundDocument): Promise<void> {
    this.files.read++;
    if (document.name !== undefined) this.isArchive = true;
    if ('other' in document) {
      this.files.others++;
      count(this.otherTypes, document.other);
    } else if ('fault' in document) {
      this.reject(document.name, document.fault);
    } else {
      await this.takeFile(document.name, document.bytes);
    }
  }

  async flush(): Promise<void> {
    if (!this.builder.empty) await this.sink.onBatch(this.builder.take());
  }

  close(): Promise<void> {
    return this.xml.close();
  }

  report(limit: DocumentFault | undefined): FileReport {
    const { read, others } = this.files;
    const isEmpty = limit === undefined && this.isArchive && read === others;
    // A single unreadable file is a failed import. In an archive, the other files count.
    const failure = limit ?? (isEmpty || read === 0 ? 'no_workouts' : this.isArchive ? undefined : this.firstFault);
    return {
      format: this.isArchive ? 'zip' : 'file',
      truncated: this.isTruncated,
      ...(failure !== undefined && { failure: { code: failure, message: DOCUMENT_FAULTS[failure] } }),
      elements: this.formats,
      rejected: this.rejections.report,
      unsupported: this.withoutWorkout,
      unsupportedElements: {},
      unsupportedFiles: this.otherTypes,
      files: this.files,
    };
  }

  private async takeFile(name: string | undefined, bytes: Buffer): Promise<void> {
    try {
      await this.storeWorkouts(name, await this.workoutsOf(bytes));
    } catch (error) {
      if (error instanceof NoWorkoutError) {
        this.files.without_workout++;
        count(this.withoutWorkout, error.content);
      } else if (error instanceof DocumentError) {
        this.reject(name, error.fault);
      } else {
        throw error;
      }
    }
  }

  /** Stores the valid workouts of a file. @throws DocumentError if it contains none */
  private async storeWorkouts(name: string | undefined, workouts: readonly FileWorkout[]): Promise<void> {
    const faults = workouts.flatMap((workout) => workoutFault(workout) ?? []);
    const valid = workouts.filter((workout) => workoutFault(workout) === undefined);
    const [fault] = faults;
    if (valid.length === 0 && fault !== undefined) throw new DocumentError(fault);
    let dropped = 0;
    for (const workout of valid) {
      const { groups, elsewhere } = recordsOf(workout, this.batchSamples);
      for (const group of groups) await this.store(group);
      dropped += elsewhere;
    }
    this.files.imported++;
    for (const { format } of valid) count(this.formats, format);
    for (const invalid of faults) {
      this.addProblem(name, invalid, true);
      this.addRejections({ code: 'unreadable', detail: invalid });
    }
    if (valid.some(({ isIncomplete }) => isIncomplete)) {
      this.isTruncated = true;
      this.addProblem(name, 'damaged', true);
    }
    if (dropped > 0) {
      this.addProblem(name, 'outside_workout', true);
      this.addRejections({ code: 'outside_workout' }, dropped);
    }
  }

  private async workoutsOf(bytes: Buffer): Promise<FileWorkout[]> {
    if (isXml(bytes)) return this.xml.read(bytes);
    return [await readFitWorkout(bytes)];
  }

  /** Adds records that must be stored in one batch. */
  private async store(group: readonly HealthRecord[]): Promise<void> {
    this.pendingSamples += group.length;
    if (this.pendingSamples > this.batchSamples || this.builder.full) {
      await this.flush();
      this.pendingSamples = group.length;
    }
    for (const record of group) this.builder.add(record);
  }

  private reject(name: string | undefined, fault: DocumentFault): void {
    this.files.unreadable++;
    this.firstFault ??= fault;
    this.addProblem(name, fault, false);
    this.addRejections({ code: 'unreadable', detail: fault });
    if (COSTLY.has(fault) && ++this.costly >= MAX_COSTLY) throw new ArchiveLimitError(fault);
  }

  /** @param isStored true if other content of the file is stored */
  private addProblem(name: string | undefined, reason: DocumentFault | StoredFault, isStored: boolean): void {
    if (this.files.problems.length < MAX_LISTED) {
      this.files.problems.push({ name: name ?? null, reason, is_stored: isStored });
    }
  }

  /** Counts rejected items of the current file: the file itself, a workout, or readings. */
  private addRejections(reason: Pick<Rejected, 'code' | 'detail'>, total = 1): void {
    const item: Rejected = { kind: 'rejected', collection: 'files', index: this.files.read - 1, ...reason };
    this.rejections.addReport({ total, byReason: { [rejectionReason(item)]: total }, first: [item] });
  }
}

/** Faults of files whose other content is stored. */
type StoredFault = 'damaged' | 'outside_workout';

function isXml(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return true;
  return /^\s*</.test(bytes.toString('latin1', start, start + 1_024));
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
