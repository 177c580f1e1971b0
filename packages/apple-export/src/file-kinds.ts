/**
 * What a file of the archive is, by the end of its name. Names themselves may hold a person's words (a clinic, a place) and
 * the vendor translates folders, so nothing else of a name is known.
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

/** @param name in the archive, of any encoding whose letters are those of ASCII */
export function fileKind(name: string): FileKind {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(KINDS, ending) ? (KINDS[ending] ?? 'others') : 'others';
}

/** What another system's archiver adds for itself; none of the phone's. */
export function isArchiverOwn(name: string): boolean {
  return /(^|\/)(__MACOSX\/|\._|\.DS_Store$)/.test(name);
}
