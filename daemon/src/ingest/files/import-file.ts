import type { IMPORT_MODES } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';

/**
 * How a file meets what files brought before: `merge` adds to it, `replace` takes its place.
 */
export type ImportMode = (typeof IMPORT_MODES)[number];

/** A received file that waits for its import. */
export interface ImportFile {
  id: string;
  runId: string;
  userKey: number;
  provider: ProviderId;
  spoolName: string;
  byteSize: number;
  /** Of the bytes that were received. */
  sha256: Buffer;
  mode: ImportMode;
  /** It is only compared with what is stored, and can be confirmed for {@link CONFIRMABLE_MINUTES}. */
  dryRun: boolean;
}

/** How long the file of a dry run is retained after its end. */
export const CONFIRMABLE_MINUTES = 60;

/** A file whose import waits for its turn. */
export interface WaitingFile extends ImportFile {
  /** When it was received, where it is imported again; what came since is newer than the file. */
  retriedSince: Date | undefined;
}
