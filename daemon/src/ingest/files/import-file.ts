import type { IMPORT_MODES } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';

/** Effect of a file on earlier files' data: `merge` adds to it, `replace` replaces it. */
export type ImportMode = (typeof IMPORT_MODES)[number];

/** Reason why a file of mode `replace` removed nothing. */
export type ReplacementFault = 'truncated' | 'export_date_missing' | 'newer_file';

/** Message for each reason. */
export const REPLACEMENT_FAULTS: Readonly<Record<ReplacementFault, string>> = {
  truncated: 'Nothing was removed, because the file is truncated.',
  export_date_missing: 'Nothing was removed, because the file has no export date.',
  newer_file: 'Nothing was removed, because a newer file was imported during the import.',
};

/** A received file that waits for its import. */
export interface ImportFile {
  id: string;
  runId: string;
  userKey: number;
  provider: ProviderId;
  spoolName: string;
  byteSize: number;
  /** Hash of the received bytes. */
  sha256: Buffer;
  mode: ImportMode;
  /** True if the file is only compared with the stored data. It can be confirmed for {@link CONFIRMABLE_MINUTES}. */
  dryRun: boolean;
}

/** Time for which the file of a dry run is retained after its end. */
export const CONFIRMABLE_MINUTES = 60;

/** A file that waits for its import. */
export interface WaitingFile extends ImportFile {
  /** Time at which a retried file was received. Data that arrived later is newer than the file. */
  retriedSince: Date | undefined;
}
