import { open } from 'node:fs/promises';
import { ExportError } from './errors.js';
import type { FileKind } from './file-kinds.js';
import { DEFAULT_LIMITS, type ExportLimits } from './limits.js';
import { xmlStart } from './root-element.js';
import { ExportScanner, type ScanHandler } from './scanner.js';
import { gunzippedBytes, plainBytes, type ReadPosition } from './unpacked.js';
import { findExportInZip, zippedBytes } from './zip.js';

export type ExportFormat = 'xml' | 'gzip' | 'zip';

/** How far the reading has come. For archives the bytes are packed ones. */
export interface ExportProgress {
  bytesRead: number;
  bytesTotal: number;
  recordsSeen: number;
}

/** What was in the file. */
export interface ExportSummary {
  format: ExportFormat;
  /** The file ended before `</HealthData>`; everything before the cut has been handed over. */
  truncated: boolean;
  recordCount: number;
  /** Other top-level elements by name, e.g. `Workout`, `ActivitySummary`. */
  elementCounts: Record<string, number>;
  /** Elements directly below a `Record` by name, less its metadata; none of them is read. */
  recordChildCounts: Record<string, number>;
  /** Files of an archive beside the export, by kind; empty where there is no archive, or its directory was cut off. */
  otherFiles: Partial<Record<FileKind, number>>;
}

export interface ReadExportOptions {
  limits?: Partial<ExportLimits>;
  /** Top-level elements that are delivered whole. */
  wholeElements?: Iterable<string>;
  /** Keys of Record metadata to keep. */
  metadataKeys?: Iterable<string>;
}

export interface ExportHandler extends ScanHandler {
  /** After every chunk (256 KiB or less); reading waits for the promise. Throw to stop. */
  onChunk?(progress: ExportProgress): void | Promise<void>;
}

/**
 * Reads an export from a `.xml`, `.xml.gz` or `.zip` file, distinguished by their first bytes, in bounded memory.
 * @throws ExportError when the file is no export or cannot be read any further; what was read has been handed over
 */
export async function readExport(
  path: string,
  handler: ExportHandler,
  options: ReadExportOptions = {},
): Promise<ExportSummary> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const position: ReadPosition = { bytes: 0 };
  const { format, bytesTotal, chunks, otherFiles } = await openExport(path, limits, position);
  const scanner = new ExportScanner(handler, {
    limits,
    wholeElements: new Set(options.wholeElements ?? []),
    metadataKeys: new Set(options.metadataKeys ?? []),
  });
  let first = true;
  for await (const chunk of chunks) {
    scanner.write(first ? chunk.subarray(xmlStart(chunk)) : chunk);
    first = false;
    await handler.onChunk?.({
      bytesRead: scanner.complete ? bytesTotal : Math.min(position.bytes, bytesTotal),
      bytesTotal,
      recordsSeen: scanner.recordCount,
    });
  }
  if (first) throw new ExportError('not_xml');
  if (!scanner.opened) throw new ExportError('not_an_export');
  return {
    format,
    truncated: !scanner.complete,
    recordCount: scanner.recordCount,
    elementCounts: Object.fromEntries(scanner.elementCounts),
    recordChildCounts: Object.fromEntries(scanner.recordChildCounts),
    otherFiles,
  };
}

interface OpenExport {
  format: ExportFormat;
  bytesTotal: number;
  chunks: AsyncGenerator<Buffer>;
  otherFiles: ExportSummary['otherFiles'];
}

async function openExport(path: string, limits: ExportLimits, position: ReadPosition): Promise<OpenExport> {
  const { head, size } = await headOf(path);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    return { format: 'gzip', bytesTotal: size, chunks: gunzippedBytes(path, limits, position), otherFiles: {} };
  }
  if (head[0] === 0x50 && head[1] === 0x4b) {
    const { file, otherFiles } = await findExportInZip(path, size, limits);
    const chunks = zippedBytes(path, file, limits, position);
    return { format: 'zip', bytesTotal: file.packedBytes, chunks, otherFiles };
  }
  return { format: 'xml', bytesTotal: size, chunks: plainBytes(path, limits, position), otherFiles: {} };
}

async function headOf(path: string): Promise<{ head: Buffer; size: number }> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(4);
    await handle.read(head, 0, head.length, 0);
    return { head, size: (await handle.stat()).size };
  } finally {
    await handle.close();
  }
}
