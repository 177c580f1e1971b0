/**
 * Reasons why an export file cannot be read completely. Codes are stable. Messages are static and contain no file
 * content.
 */
const EXPORT_ERRORS = {
  not_xml: 'The file is neither XML nor an archive.',
  not_an_export: 'The file is XML, but its first element is not HealthData.',
  zip_without_export: 'The archive contains no health export.',
  archive_damaged: 'The archive is damaged and cannot be unpacked.',
  archive_encrypted: 'The archive is password-protected. Upload an archive without a password.',
  archive_method_unsupported: 'The archive uses a compression method that is not supported.',
  unpacked_too_large: 'The unpacked file is larger than IMPORT_MAX_UNPACKED_BYTES allows.',
  ratio_exceeded: 'The archive unpacks to more than IMPORT_MAX_RATIO times its size.',
  attribute_too_long: 'An attribute is longer than allowed.',
  tag_too_long: 'A tag or comment is longer than allowed.',
  element_too_large: 'An element has more children than allowed.',
  too_deep: 'Elements are nested deeper than allowed.',
  entity_undefined: 'The file uses an entity that XML does not predefine.',
  encoding_unsupported: 'The file is not encoded as UTF-8.',
  xml_malformed: 'The file is not well-formed XML.',
} as const;
export type ExportErrorCode = keyof typeof EXPORT_ERRORS;

/** An export file that cannot be read completely. Data before the fault was delivered. */
export class ExportError extends Error {
  override readonly name = 'ExportError';

  constructor(
    readonly code: ExportErrorCode,
    options?: ErrorOptions,
  ) {
    super(EXPORT_ERRORS[code], options);
  }
}
