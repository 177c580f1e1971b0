import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { ExportError } from './errors.js';
import type { SkippedFiles } from './export-handler.js';
import { type FileKind, fileKind, isArchiverOwn } from './file-kinds.js';
import type { ExportLimits } from './limits.js';
import { findLocalEntry } from './local-headers.js';
import { isHealthData } from './root-element.js';
import { deflatedBytes, type PackedFile, plainBytes, type ReadPosition } from './unpacked.js';

const STORED = 0;
const DEFLATED = 8;
const MAX_ENTRIES = 500_000;
const MAX_CANDIDATES = 200;

/** The export's position in an archive, and counts of the other files. */
export interface FoundExport {
  file: PackedFile;
  /** Counts of the other files by type; empty if the archive's directory was cut off. */
  otherFiles: Partial<Record<FileKind, number>>;
  skippedFiles: SkippedFiles;
  /** True if the end of the archive, which contains its directory, is missing. Other files may be missing too. */
  isCutOff: boolean;
}

/**
 * Finds the archived file whose root element is `HealthData`. Names are unreliable: the vendor translates them
 * (`Exportieren.xml`, `导出.xml`), and the clinical document ends in `.xml` too. Searches an archive from its start if
 * the end with its directory is missing.
 * @throws ExportError `zip_without_export`, `archive_damaged`, `archive_encrypted`, `archive_method_unsupported`
 */
export async function findExportInZip(path: string, fileBytes: number, limits: ExportLimits): Promise<FoundExport> {
  const files = await listFiles(path);
  if (files === undefined) {
    const file = await findLocalEntry(path, fileBytes, (candidate) => isExport(path, candidate, limits));
    if (file === undefined) throw new ExportError('archive_damaged');
    return { file, otherFiles: {}, skippedFiles: { empty: 0, archiver: 0 }, isCutOff: true };
  }
  for (const { file, name } of files.readable) {
    if (await isExport(path, file, limits)) return { file, ...countOthers(files, name), isCutOff: false };
  }
  if (files.encrypted) throw new ExportError('archive_encrypted');
  if (files.otherMethod) throw new ExportError('archive_method_unsupported');
  throw new ExportError('zip_without_export');
}

/**
 * Returns the decompressed bytes of one archived file. Verifies the checksum at the end.
 * @throws ExportError `archive_damaged` and the limit errors
 */
export async function* zippedBytes(
  path: string,
  file: PackedFile,
  limits: ExportLimits,
  position: ReadPosition,
): AsyncGenerator<Buffer> {
  let crc = 0;
  for await (const chunk of unpackedBytes(path, file, limits, position)) {
    if (file.crc !== undefined) crc = crc32(chunk, crc);
    yield chunk;
  }
  if (file.crc !== undefined && file.crc !== crc) throw new ExportError('archive_damaged');
}

function unpackedBytes(path: string, file: PackedFile, limits: ExportLimits, position: ReadPosition) {
  const { dataStart: start, packedBytes: length } = file;
  if (file.method === STORED) return plainBytes(path, limits, position, { start, length });
  const packed = createReadStream(path, { start, end: start + length - 1, highWaterMark: 256 * 1024 });
  return deflatedBytes(packed, limits, position);
}

async function isExport(path: string, file: PackedFile, limits: ExportLimits): Promise<boolean> {
  if (file.packedBytes === 0) return false;
  try {
    return await isHealthData(zippedBytes(path, file, limits, { bytes: 0 }), limits);
  } catch (error) {
    if (error instanceof ExportError) return false;
    throw error;
  }
}

interface Listing {
  /** Candidates for the export, most likely first. */
  readable: { file: PackedFile; name: string }[];
  /** Names of all archived files, in any encoding. */
  names: string[];
  /** Number of files without content. */
  empty: number;
  encrypted: boolean;
  otherMethod: boolean;
}

async function listFiles(path: string): Promise<Listing | undefined> {
  // Loads yauzl only for archives, because loading yauzl would delay every import's thread.
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(() => undefined);
  if (zip === undefined) return undefined;
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new ExportError('archive_damaged');
    const entries: Entry[] = [];
    let empty = 0;
    for await (const entry of zip.eachEntry()) {
      if (entry.uncompressedSize > 0) entries.push(entry);
      else if (!nameOf(entry).endsWith('/')) empty++;
    }
    const open = entries.filter((entry) => !entry.isEncrypted());
    const known = open.filter((entry) => entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED);
    const likeliest = known.sort((a, b) => likelihood(b) - likelihood(a)).slice(0, MAX_CANDIDATES);
    const readable: Listing['readable'] = [];
    for (const entry of likeliest) {
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const { compressedSize: packedBytes, compressionMethod: method, crc32: crc } = entry;
      readable.push({ file: { dataStart: fileDataStart, packedBytes, method, crc }, name: nameOf(entry) });
    }
    return {
      readable,
      names: entries.map(nameOf),
      empty,
      encrypted: open.length < entries.length,
      otherMethod: known.length < open.length,
    };
  } catch (error) {
    if (error instanceof ExportError) throw error;
    return undefined;
  } finally {
    zip.close();
  }
}

// Affects only the search order: XML names before other names, large files before small ones.
function likelihood(entry: Entry): number {
  const name = nameOf(entry);
  return entry.uncompressedSize + (/\.xml$/i.test(name) ? Number.MAX_SAFE_INTEGER / 2 : 0);
}

function nameOf(entry: Entry): string {
  return entry.fileNameRaw.toString('latin1');
}

/** Counts all files except the export. Another file may have the export's name. */
function countOthers(
  { names, empty }: Pick<Listing, 'names' | 'empty'>,
  exportName: string,
): Pick<FoundExport, 'otherFiles' | 'skippedFiles'> {
  const otherFiles: FoundExport['otherFiles'] = {};
  let archiver = 0;
  for (const name of names.toSpliced(names.indexOf(exportName), 1)) {
    if (isArchiverOwn(name)) {
      archiver++;
      continue;
    }
    const kind = fileKind(name);
    otherFiles[kind] = (otherFiles[kind] ?? 0) + 1;
  }
  return { otherFiles, skippedFiles: { empty, archiver } };
}
