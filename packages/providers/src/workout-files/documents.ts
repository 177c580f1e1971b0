import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import type { FileLimits } from '../files/index.js';
import { ArchiveLimitError, DocumentError, type DocumentFault } from './document-fault.js';

/** Maximum size of one workout file after decompression. */
const MAX_DOCUMENT_BYTES = 20_000_000;
const MAX_FILES = 200_000;
/** Archives inside of archives, including the outermost archive. */
const MAX_DEPTH = 4;
/** Unpacked size from which the ratio of an archive is limited. */
const RATIO_COUNTS_FROM = 16 * 2 ** 20;
const MAX_NAME = 200;

const STORED = 0;
const DEFLATED = 8;
const WORKOUT_NAME = /\.(fit|gpx|tcx)(\.gz)?$/i;
const ARCHIVE_NAME = /\.zip$/i;
/** Files that an archiver adds; no vendor writes them. */
const ARCHIVER_NAME = /(^|\/)(__MACOSX\/|\._|\.DS_Store$)/;

/** A file of an upload. `name` is the path in the archive; undefined for the uploaded file itself. */
export type FoundDocument = { name: string | undefined } & (
  | { bytes: Buffer }
  | { fault: DocumentFault }
  /** Type of a file that contains no workout. */
  | { other: string }
);

/** Counts the bytes of the uploaded file that were read, for progress. */
export interface ReadPosition {
  bytes: number;
}

/** Bytes that the archives of one upload were unpacked to. */
interface Usage {
  packedBytes: number;
  unpackedBytes: number;
  files: number;
}

/**
 * Yields the workout files of an upload, one at a time: the file itself, or the files of a zip archive and of the
 * archives inside it.
 * @throws ArchiveLimitError
 */
export async function* documentsOf(
  path: string,
  limits: FileLimits,
  position: ReadPosition,
): AsyncGenerator<FoundDocument> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(4);
    await handle.read(head, 0, head.length, 0);
    if (isZip(head)) {
      const { size } = await handle.stat();
      const usage: Usage = { packedBytes: size, unpackedBytes: 0, files: 0 };
      yield* archived(handle, { path, prefix: '', depth: 1, limits, usage, position });
    } else {
      yield { name: undefined, ...(await readDocument(createReadStream(path))) };
    }
  } finally {
    await handle.close();
  }
}

/** Progress and limits of reading one archive. */
interface ArchivePlace {
  /** Path of the uploaded file. */
  path: string;
  /** Path of this archive in the outermost archive. */
  prefix: string;
  depth: number;
  limits: FileLimits;
  usage: Usage;
  /** Undefined inside of a nested archive, which counts as a whole. */
  position: ReadPosition | undefined;
}

async function* archived(handle: FileHandle, place: ArchivePlace): AsyncGenerator<FoundDocument> {
  const { prefix, usage, position } = place;
  const zip = await openZip(handle);
  if (!zip) {
    yield { name: prefix || undefined, fault: 'archive_damaged' };
    return;
  }
  const entries = zip.eachEntry();
  for (;;) {
    let entry: Entry;
    try {
      const step = await entries.next();
      if (step.done) return;
      entry = step.value;
    } catch {
      // The directory is damaged from here on.
      yield { name: prefix || undefined, fault: 'archive_damaged' };
      return;
    }
    usage.files++;
    if (usage.files > MAX_FILES) throw new ArchiveLimitError('too_many_files');
    const path = entryName(entry);
    if (position) position.bytes += entry.compressedSize;
    if (path.endsWith('/') || ARCHIVER_NAME.test(path)) continue;
    yield* filesOf(zip, entry, `${prefix}${path}`, place);
  }
}

async function openZip(handle: FileHandle): Promise<ZipFile | undefined> {
  try {
    return await fromFdPromise(handle.fd, { autoClose: false, lazyEntries: true, decodeStrings: false });
  } catch {
    return undefined;
  }
}

async function* filesOf(zip: ZipFile, entry: Entry, name: string, place: ArchivePlace): AsyncGenerator<FoundDocument> {
  const isArchive = ARCHIVE_NAME.test(name);
  if (!isArchive && !WORKOUT_NAME.test(name)) {
    yield { name, other: typeOfOther(name) };
    return;
  }
  const fault = entryFault(entry, isArchive, place);
  if (fault !== undefined) {
    yield { name, fault };
    return;
  }
  let stream: Readable;
  try {
    stream = await zip.openReadStreamPromise(entry);
  } catch {
    yield { name, fault: 'archive_damaged' };
    return;
  }
  const counted = countedBytes(stream, place, entry.crc32);
  if (isArchive) yield* nested(counted, name, place);
  else yield { name, ...(await readDocument(counted, place)) };
}

function entryFault(entry: Entry, isArchive: boolean, { depth }: ArchivePlace): DocumentFault | undefined {
  if (entry.isEncrypted()) return 'archive_encrypted';
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) return 'archive_method_unsupported';
  if (isArchive) return depth >= MAX_DEPTH ? 'nested_too_deep' : undefined;
  return entry.uncompressedSize > MAX_DOCUMENT_BYTES ? 'document_too_large' : undefined;
}

/** Unpacks a nested archive into a file without a name, because an archive's directory is at its end. */
async function* nested(bytes: AsyncIterable<Buffer>, name: string, place: ArchivePlace): AsyncGenerator<FoundDocument> {
  const path = `${place.path}-${randomUUID()}`;
  const handle = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    try {
      for await (const chunk of bytes) await handle.appendFile(chunk);
    } catch (error) {
      yield { name, fault: faultOf(error) };
      return;
    }
    yield* archived(handle, { ...place, prefix: `${name}/`, depth: place.depth + 1, position: undefined });
  } finally {
    await handle.close();
  }
}

/** Counts the unpacked bytes of an entry, and verifies its checksum at the end. */
async function* countedBytes(stream: Readable, place: ArchivePlace, expectedCrc: number): AsyncGenerator<Buffer> {
  let crc = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      countUnpacked(chunk, place);
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } finally {
    stream.destroy();
  }
  if (crc !== expectedCrc) throw new DocumentError('archive_damaged');
}

/** Counts unpacked bytes against the limits of the whole upload. @throws ArchiveLimitError */
function countUnpacked({ length }: Buffer, { limits, usage }: ArchivePlace): void {
  usage.unpackedBytes += length;
  if (usage.unpackedBytes > limits.maxUnpackedBytes) throw new ArchiveLimitError('unpacked_too_large');
  const ratio = usage.unpackedBytes / Math.max(1, usage.packedBytes);
  if (usage.unpackedBytes > RATIO_COUNTS_FROM && ratio > limits.maxRatio) throw new ArchiveLimitError('ratio_exceeded');
}

/**
 * Reads one workout file, which may be compressed.
 * @param place archive of the file; undefined for the uploaded file itself
 * @throws ArchiveLimitError
 */
async function readDocument(
  stream: AsyncIterable<Buffer>,
  place?: ArchivePlace,
): Promise<{ bytes: Buffer } | { fault: DocumentFault }> {
  try {
    const bytes = await limitedBytes(stream);
    return { bytes: isGzip(bytes) ? await limitedBytes(gunzipped(bytes, place)) : bytes };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

async function limitedBytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) throw new DocumentError('document_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

async function* gunzipped(bytes: Buffer, place: ArchivePlace | undefined): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  gunzip.end(bytes);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      if (place) countUnpacked(chunk, place);
      yield chunk;
    }
  } finally {
    gunzip.destroy();
  }
}

/** Returns the fault of a file. @throws ArchiveLimitError and errors of the file system */
function faultOf(error: unknown): DocumentFault {
  if (error instanceof ArchiveLimitError) throw error;
  if (error instanceof DocumentError) return error.fault;
  if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  return 'archive_damaged';
}

function isZip(head: Buffer): boolean {
  return head[0] === 0x50 && head[1] === 0x4b;
}

function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Returns the entry's name without control characters. */
function entryName({ fileNameRaw }: Entry): string {
  const name = new TextDecoder().decode(fileNameRaw).replaceAll('\\', '/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
  return name.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').slice(-MAX_NAME);
}

const OTHER_TYPES: Readonly<Record<string, string>> = {
  json: 'json',
  csv: 'csv',
  jpg: 'images',
  jpeg: 'images',
  png: 'images',
  heic: 'images',
};

/** Returns the type of a file without workouts, by the end of its name. A name may contain a user's words. */
function typeOfOther(name: string): string {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(OTHER_TYPES, ending) ? (OTHER_TYPES[ending] ?? 'others') : 'others';
}
