/** Reasons why a file, or a file of an archive, cannot be read. Codes are stable. Messages contain no file content. */
export const DOCUMENT_FAULTS = {
  archive_damaged: 'The archive is damaged and cannot be unpacked.',
  archive_encrypted: 'The archive is password-protected. Upload an archive without a password.',
  archive_method_unsupported: 'The archive uses a compression method that is not supported.',
  checksum: 'The file is damaged: its checksum does not match its content.',
  document_too_complex: 'Reading the file requires more memory than a workout file may use.',
  document_too_large: 'The file is larger than 20 MB.',
  document_too_slow: 'Reading the file takes longer than a workout file may take.',
  dtd_forbidden: 'The file contains a document type declaration, which is not allowed.',
  encoding_unsupported: 'The file uses an unsupported text encoding. Save it as UTF-8.',
  interval_invalid: 'The workout has an impossible start or end.',
  malformed: 'The file is damaged: its content is malformed.',
  no_workouts: 'The archive contains no FIT, GPX or TCX file.',
  not_workout_file: 'The file is not a FIT, GPX or TCX file.',
  nested_too_deep: 'The archive contains archives that are nested too deeply.',
  ratio_exceeded: 'The archive unpacks to more than IMPORT_MAX_RATIO times its size.',
  too_long: 'The workout has more records than a workout file may contain.',
  too_many_files: 'The archive contains more files than allowed.',
  too_many_workouts: 'The file contains more than 1,000 workouts. Divide it into several files.',
  truncated: 'The file ends before its first record.',
  unpacked_too_large: 'The unpacked files are larger than IMPORT_MAX_UNPACKED_BYTES allows.',
  xml_malformed: 'The file is not well-formed XML.',
} as const;
export type DocumentFault = keyof typeof DOCUMENT_FAULTS;

/** A file that cannot be read. Other files of the same archive can be. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(
    readonly fault: DocumentFault,
    options?: ErrorOptions,
  ) {
    super(DOCUMENT_FAULTS[fault], options);
  }
}

/** An archive that exceeds a limit. None of its remaining files is read. */
export class ArchiveLimitError extends DocumentError {}

/** A readable file that contains no recorded workout, such as a planned route. */
export class NoWorkoutError extends Error {
  override readonly name = 'NoWorkoutError';

  /** @param content what the file contains, such as `fit/monitoring` or `gpx/route` */
  constructor(readonly content: string) {
    super(content);
  }
}
