import { ExportError } from './errors.js';
import type { ExportHandler, ExportSummary, ReadExportOptions } from './export-handler.js';
import { DEFAULT_LIMITS } from './limits.js';
import { openExport } from './open-export.js';
import { xmlStart } from './root-element.js';
import { ExportScanner } from './scanner.js';
import type { ReadPosition } from './unpacked.js';

/**
 * Reads an export from a `.xml`, `.xml.gz` or `.zip` file, recognized by its first bytes, in bounded memory.
 * @throws ExportError if the file is not an export or cannot be read completely. Data before the fault was delivered
 */
export async function readExport(
  path: string,
  handler: ExportHandler,
  options: ReadExportOptions = {},
): Promise<ExportSummary> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const position: ReadPosition = { bytes: 0 };
  const { format, bytesTotal, chunks, otherFiles, skippedFiles, isCutOff } = await openExport(path, limits, position);
  const scanner = new ExportScanner(handler, {
    limits,
    wholeElements: new Set(options.wholeElements ?? []),
    metadataKeys: new Set(options.metadataKeys ?? []),
    beatLists: options.beatLists ?? false,
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
    truncated: isCutOff || !scanner.complete,
    recordCount: scanner.recordCount,
    elementCounts: Object.fromEntries(scanner.elementCounts),
    recordChildCounts: Object.fromEntries(scanner.recordChildCounts),
    otherFiles,
    skippedFiles,
  };
}
