/**
 * Type of an archived file, by the end of its name. A name may contain a user's words (a clinic, a place), and the
 * vendor translates folders, so only the end is used.
 */
export type FileKind =
  | 'workout_routes'
  | 'electrocardiograms'
  | 'clinical_documents'
  | 'clinical_records'
  | 'attachments'
  | 'others';

const KINDS: Readonly<Record<string, FileKind>> = {
  gpx: 'workout_routes',
  csv: 'electrocardiograms',
  xml: 'clinical_documents',
  json: 'clinical_records',
  pdf: 'attachments',
  jpg: 'attachments',
  jpeg: 'attachments',
  png: 'attachments',
  heic: 'attachments',
};

/** @param name in the archive, in any encoding that extends ASCII */
export function fileKind(name: string): FileKind {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(KINDS, ending) ? (KINDS[ending] ?? 'others') : 'others';
}

/** True for files that another system's archiver adds; the phone never writes them. */
export function isArchiverOwn(name: string): boolean {
  return /(^|\/)(__MACOSX\/|\._|\.DS_Store$)/.test(name);
}
