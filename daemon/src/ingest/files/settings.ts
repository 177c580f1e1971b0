import type { FileLimits } from '@healthd/providers';

/**
 * Limits of uploaded files; each is a setting of the service (of unpacking `IMPORT_MAX_UNPACKED_BYTES`,
 * `IMPORT_MAX_RATIO`).
 */
export interface ImportSettings extends FileLimits {
  /** Size of an uploaded file in bytes (`IMPORT_MAX_BYTES`). */
  maxUploadBytes: number;
  /** How long an upload may send nothing before it is given up (`UPLOAD_IDLE_SECONDS`). */
  idleSeconds: number;
  /** How long the file of a failed import is retained (`FAILED_UPLOAD_RETENTION_DAYS`). */
  keepFailedDays: number;
}
