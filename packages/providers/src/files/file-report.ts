import type { RejectionReport } from '@healthd/model';

/** Why a file could not be read, or not to its end. */
interface FileFault {
  /** Stable, for programs. */
  code: string;
  /** For people; static, nothing of the file's content. */
  message: string;
}

/** What became of a file that users hand over: counts, codes and names of types, never a value. */
export interface FileReport {
  /** How the file is packed; undefined when it turned out to be none that the provider writes. */
  format?: string;
  /** The file ended early; all before the cut was read. */
  truncated: boolean;
  /** Why reading stopped before the end of the file; what was before was delivered. */
  failure?: FileFault;
  /** When the file was written; undefined when it does not say. */
  exportedAtMs?: number;
  /** Top-level elements by name. */
  elements: Record<string, number>;
  rejected: RejectionReport;
  /** Records that the unified model has no place for, by the vendor's type: the hundred most frequent, and `others`. */
  unsupported: Record<string, number>;
  /** Elements that the unified model has no place for, by name, with that of the element around them: as above. */
  unsupportedElements: Record<string, number>;
  /** Files of an archive that are not read, by kind; never their names. */
  unsupportedFiles: Record<string, number>;
}
