import {
  countName,
  type ExportElement,
  type ExportFormat,
  type ExportSummary,
  type FileKind,
  mostFrequent,
} from '@healthd/apple-export';
import { RejectionTally } from '@healthd/model';
import type { FileReport } from '../files/index.js';
import type { Unsupported } from './rejection.js';

const MAX_REASONS = 500;
/** So many names of unsupported types are listed, the rest is counted together. */
const MAX_LISTED_NAMES = 100;
/** Top-level elements that are read. Records below a Correlation are in the file once more, beside it. */
const READ_ELEMENTS: ReadonlySet<string> = new Set(['Record', 'Workout', 'Me', 'ExportDate', 'Correlation']);
/** Parts of a workout that are looked into. */
const READ_IN_WORKOUTS: ReadonlySet<string> = new Set([
  'MetadataEntry',
  'WorkoutActivity',
  'WorkoutEvent',
  'WorkoutStatistics',
]);

/** What became of an export file. */
export interface AppleExportReport extends FileReport {
  format?: ExportFormat;
  /** Of these only `Record`, `Workout` and `Me` are looked into. */
  elements: Record<string, number>;
  /** Samples that were handed on. */
  samples: number;
  /** Sleep stages that were handed on. */
  sleepStages: number;
  /** Workouts that were handed on. */
  workouts: number;
  unsupportedFiles: Partial<Record<FileKind, number>>;
}

/** Counts what cannot be stored. A file that makes up ever new names does not make it grow without end. */
export class ImportTally {
  readonly rejections = new RejectionTally(MAX_REASONS);
  private readonly types = new Map<string, number>();
  private readonly workoutParts = new Map<string, number>();

  skip({ type }: Unsupported): void {
    countName(this.types, type);
  }

  /** Counts the parts of a workout that nothing is made of. */
  skipParts({ children }: ExportElement): void {
    for (const { name } of children) if (!READ_IN_WORKOUTS.has(name)) countName(this.workoutParts, name);
  }

  unsupported(): Record<string, number> {
    return mostFrequent(this.types, MAX_LISTED_NAMES);
  }

  unsupportedElements({ elementCounts, recordChildCounts }: ExportSummary): Record<string, number> {
    const counts = [
      ...Object.entries(elementCounts).filter(([name]) => !READ_ELEMENTS.has(name)),
      ...within('Record', Object.entries(recordChildCounts)),
      ...within('Workout', this.workoutParts),
    ];
    return mostFrequent(counts, MAX_LISTED_NAMES);
  }
}

/** The same counts under the names with their parent's: `Workout/WorkoutRoute`. */
function within(parent: string, counts: Iterable<readonly [string, number]>): [string, number][] {
  return [...counts].map(([name, number]) => [`${parent}/${name}`, number]);
}
