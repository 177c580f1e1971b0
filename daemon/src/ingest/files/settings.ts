import type { FileLimits } from '@healthd/providers';

/**
 * Limits of uploaded files. Each is a setting of the service; for unpacking: `IMPORT_MAX_UNPACKED_BYTES`,
 * `IMPORT_MAX_RATIO`.
 */
export interface ImportSettings extends FileLimits {
  /** Maximum size of an uploaded file in bytes (`IMPORT_MAX_BYTES`). */
  maxUploadBytes: number;
  /** Maximum idle time of an upload in seconds (`UPLOAD_IDLE_SECONDS`). */
  idleSeconds: number;
  /** Days for which the file of a failed import is retained (`FAILED_UPLOAD_RETENTION_DAYS`). */
  keepFailedDays: number;
}
