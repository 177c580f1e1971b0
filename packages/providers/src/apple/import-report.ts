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
/** Number of unsupported type names to list. All further names share one count. */
const MAX_LISTED_NAMES = 100;
/** Top-level elements that are supported. A Correlation only repeats records that the file also contains outside it. */
const READ_ELEMENTS: ReadonlySet<string> = new Set(['Record', 'Workout', 'Me', 'ExportDate', 'Correlation']);
/** Parts of a workout to read. */
const READ_IN_WORKOUTS: ReadonlySet<string> = new Set([
  'MetadataEntry',
  'WorkoutActivity',
  'WorkoutEvent',
  'WorkoutStatistics',
]);

/** Result of reading an export file. */
export interface AppleExportReport extends FileReport {
  format?: ExportFormat;
  /** Number of top-level elements by name, including unread elements. */
  elements: Record<string, number>;
  /** Number of samples emitted. */
  samples: number;
  /** Number of sleep stages emitted. */
  sleepStages: number;
  /** Number of workouts emitted. */
  workouts: number;
  unsupportedFiles: Partial<Record<FileKind, number>>;
}

/**
 * Counts items that cannot be stored. Limits the number of names, because a file may contain any number of invented
 * names.
 */
export class ImportTally {
  readonly rejections = new RejectionTally(MAX_REASONS);
  private readonly types = new Map<string, number>();
  /** Number of unread parts of workouts by name. */
  readonly workoutParts = new Map<string, number>();

  skip({ type }: Unsupported): void {
    countName(this.types, type);
  }

  /** Counts the unused parts of a workout. */
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

/** Prefixes the names with their parent: `Workout/WorkoutRoute`. */
function within(parent: string, counts: Iterable<readonly [string, number]>): [string, number][] {
  return [...counts].map(([name, number]) => [`${parent}/${name}`, number]);
}
