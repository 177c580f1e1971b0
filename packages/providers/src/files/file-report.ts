import type { RejectionReport } from '@healthd/model';

/** Reason why a file could not be read completely. */
interface FileFault {
  /** Stable code for programs. */
  code: string;
  /** Static text for users, without the file's content. */
  message: string;
}

/**
 * Outcome of each file of an upload of workout files. `read` is the sum of `imported`, `unreadable`, `without_workout`
 * and `others`.
 */
interface WorkoutFileCounts {
  read: number;
  imported: number;
  unreadable: number;
  /** Readable files without a recorded workout, such as planned routes. */
  without_workout: number;
  /** Files of other formats in an archive. */
  others: number;
  /** The first hundred unreadable or damaged files, with their name in the archive; null for the uploaded file. */
  problems: { name: string | null; reason: string; is_stored: boolean }[];
}

/** Reasons why a part of a file is not imported. docs/import.md explains them. */
export type NotImportedReason =
  | 'archiver'
  | 'attachment'
  | 'clinical'
  | 'empty'
  | 'no_route'
  | 'no_series'
  | 'no_waveform'
  | 'repeated'
  | 'too_few_beats'
  | 'truncated'
  | 'unknown_file';

/** Outcome of one type of element or file. `read` is the sum of `imported`, `rejected` and `not_imported`. */
export interface PartOutcome {
  /** Name of the element, with the parent's name for parts of elements, or the type of file. */
  name: string;
  read: number;
  imported: number;
  rejected: number;
  not_imported: Partial<Record<NotImportedReason, number>>;
}

/** Outcomes of all parts of a file. Empty if it could not be read to its end. */
export interface PartOutcomes {
  /** Elements directly below the root. Their sum is the number of these elements. */
  elements: PartOutcome[];
  /** Parts of elements that may be imported separately from their element. */
  parts: PartOutcome[];
  /** Files of the archive; a single file without an archive. Their sum is the number of files. */
  files: PartOutcome[];
}

/** Result of reading an uploaded file: counts, codes and type names, never a value. */
export interface FileReport {
  /** Compression of the file; undefined if it is not a file of this provider. */
  format?: string;
  /** True if the file ended early. Everything before the cut was read. */
  truncated: boolean;
  /** Reason for stopping before the end of the file. Earlier data was delivered. */
  failure?: FileFault;
  /** Date of the file; undefined if the file contains none. */
  exportedAtMs?: number;
  /** Number of top-level elements by name. */
  elements: Record<string, number>;
  rejected: RejectionReport;
  /** Number of unsupported records by the vendor's type: the hundred most frequent types, and `others`. */
  unsupported: Record<string, number>;
  /** Number of unsupported elements by name with the parent's name, limited in the same way. */
  unsupportedElements: Record<string, number>;
  /** Number of unread files of an archive by type; never their names. */
  unsupportedFiles: Record<string, number>;
  /** Only for workout files. */
  files?: WorkoutFileCounts;
  /** Undefined if the adapter does not report it. */
  contents?: PartOutcomes;
}
