/** Limits of uploaded export files; each is a setting of the service. */
export interface ImportSettings {
  /** Size of an uploaded file in bytes (`IMPORT_MAX_BYTES`). */
  maxUploadBytes: number;
  /** Size of the XML after unpacking (`IMPORT_MAX_UNPACKED_BYTES`). */
  maxUnpackedBytes: number;
  /** Unpacked bytes per packed byte (`IMPORT_MAX_RATIO`). */
  maxRatio: number;
  /** How long an upload may send nothing before it is given up (`UPLOAD_IDLE_SECONDS`). */
  idleSeconds: number;
  /** How long the file of a failed import is kept (`FAILED_UPLOAD_RETENTION_DAYS`). */
  keepFailedDays: number;
}

export const DEFAULT_IMPORT_SETTINGS: ImportSettings = {
  maxUploadBytes: 10 * 2 ** 30,
  maxUnpackedBytes: 32 * 2 ** 30,
  maxRatio: 200,
  idleSeconds: 60,
  keepFailedDays: 7,
};
