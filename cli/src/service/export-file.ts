import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';
import { zipNames } from './zip-names.js';

const HEAD_BYTES = 512;

type FileKind = 'xml' | 'gzip' | 'zip' | 'fit';

/** A file that may be uploaded. */
export interface ExportFile {
  path: string;
  bytes: number;
  kind: FileKind;
  /** Content that determines the route: a phone's health export, or files of workouts. */
  holds: 'export' | 'workouts';
}

/** File names of workouts, plain or gzipped. */
const WORKOUT_NAME = /\.(fit|gpx|tcx)(\.gz)?$/i;
/** XML file of a health export with its English name, at the root of the archive or in the phone's folder. */
const EXPORT_NAME = /^([^/]+\/)?export\.xml$/i;
/** Place of a health export's XML file in the archive. */
const EXPORT_PLACE = /^(apple_health_export\/)?[^/]+\.xml$/i;
/** Routes of workouts in a health export. */
const ROUTE_NAME = /(^|\/)workout-routes\/[^/]+\.gpx$/i;
/** Root elements of GPX and TCX. */
const WORKOUT_ROOT = /<(?:\w+:)?(?:gpx|TrainingCenterDatabase)[\s>]/;

/**
 * Checks that a file exists, is readable and starts like an export or a workout file.
 * @throws CliError `file_missing`, `file_unreadable`, `file_empty`, `not_a_file`, `not_an_export`
 */
export async function checkExportFile(path: string): Promise<ExportFile> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || error.code === 'ENOTDIR'
      ? wrongFile('file_missing', `File ${path} not found.`)
      : wrongFile('file_unreadable', `Cannot read ${path}.`);
  });
  if (found.isDirectory()) throw wrongFile('not_a_file', `${path} is a folder.`, await folderHint(path));
  if (!found.isFile()) throw wrongFile('not_a_file', `${path} is not an ordinary file.`);
  if (found.size === 0) throw wrongFile('file_empty', `${path} is empty.`);
  const head = await headOf(path);
  const kind = kindOf(head);
  if (kind === undefined) {
    throw wrongFile(
      'not_an_export',
      `${path} is neither XML, FIT, gzip nor zip.`,
      'Pass the export.zip from the phone, the export.xml inside it, or files of workouts (FIT, GPX, TCX).',
    );
  }
  return { path, bytes: found.size, kind, holds: await contentOf(path, kind, head) };
}

async function contentOf(path: string, kind: FileKind, head: Buffer): Promise<ExportFile['holds']> {
  if (kind === 'fit' || WORKOUT_NAME.test(path)) return 'workouts';
  // A file from stdin has no name, so its content must be recognized.
  if (kind === 'gzip') return holdsWorkout(unzippedHead(head)) ? 'workouts' : 'export';
  if (kind === 'xml') return holdsWorkout(head) ? 'workouts' : 'export';
  const names = await zipNames(path).catch(() => []);
  if (names.some((name) => EXPORT_NAME.test(name))) return 'export';
  const hasXml = names.some((name) => EXPORT_PLACE.test(name));
  // A phone's export contains routes of workouts too. The phone's language determines the name of the XML file.
  const isWorkout = (name: string) =>
    (WORKOUT_NAME.test(name) && !(hasXml && ROUTE_NAME.test(name))) || /\.zip$/i.test(name);
  return names.some(isWorkout) ? 'workouts' : 'export';
}

function holdsWorkout(head: Buffer): boolean {
  return kindOf(head) === 'fit' || WORKOUT_ROOT.test(head.toString('utf8'));
}

/** Decompresses the start of a gzip file. Empty if the file is damaged. */
function unzippedHead(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Detects the format by the first bytes. Undefined if unknown. */
function kindOf(head: Buffer): FileKind | undefined {
  if (head.toString('latin1', 8, 12) === '.FIT') return 'fit';
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'))) return 'zip';
  const text = head[0] === 0xff && head[1] === 0xfe ? head.toString('utf16le') : head.toString('utf8');
  return text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('<')
    ? 'xml'
    : undefined;
}

async function headOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw wrongFile('file_unreadable', `Cannot read ${path}.`, undefined, error);
  }
}

async function folderHint(path: string): Promise<string> {
  const names = await readdir(path).catch(() => []);
  const found = names.find((name) => /^export\.(zip|xml)$/i.test(name));
  return found ? `Pass the file in it: ${join(path, found)}` : 'Pass the export.zip or export.xml itself.';
}

function wrongFile(code: string, message: string, hint?: string, cause?: unknown): CliError {
  return new CliError(code, message, { hint, exitCode: EXIT.usage, cause });
}
