import type { FileLimits } from '@healthd/providers';

/**
 * Limits of uploaded files, each from a service setting. The inherited limits for unpacking are
 * `IMPORT_MAX_UNPACKED_BYTES` and `IMPORT_MAX_RATIO`.
 */
export interface ImportSettings extends FileLimits {
  /** Maximum size of an uploaded file in bytes (`IMPORT_MAX_BYTES`). */
  maxUploadBytes: number;
  /** Maximum idle time of an upload in seconds (`UPLOAD_IDLE_SECONDS`). */
  idleSeconds: number;
  /** Days for which the file of a failed or partial import is retained (`FAILED_UPLOAD_RETENTION_DAYS`). */
  keepFailedDays: number;
}
