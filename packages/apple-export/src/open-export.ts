import { open } from 'node:fs/promises';
import type { ExportFormat, ExportSummary } from './export-handler.js';
import type { ExportLimits } from './limits.js';
import { gunzippedBytes, plainBytes, type ReadPosition } from './unpacked.js';
import { findExportInZip, zippedBytes } from './zip.js';

const NO_FILES = { empty: 0, archiver: 0 };

interface OpenExport {
  format: ExportFormat;
  bytesTotal: number;
  chunks: AsyncGenerator<Buffer>;
  otherFiles: ExportSummary['otherFiles'];
  skippedFiles: ExportSummary['skippedFiles'];
  /** True if the end of an archive is missing. Always false for other files, whose end is checked while reading. */
  isCutOff: boolean;
}

/** Opens an export by its first bytes. @throws ExportError */
export async function openExport(path: string, limits: ExportLimits, position: ReadPosition): Promise<OpenExport> {
  const { head, size } = await headOf(path);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    return {
      format: 'gzip',
      bytesTotal: size,
      chunks: gunzippedBytes(path, limits, position),
      otherFiles: {},
      skippedFiles: NO_FILES,
      isCutOff: false,
    };
  }
  if (head[0] === 0x50 && head[1] === 0x4b) {
    const { file, otherFiles, skippedFiles, isCutOff } = await findExportInZip(path, size, limits);
    const chunks = zippedBytes(path, file, limits, position);
    return { format: 'zip', bytesTotal: file.packedBytes, chunks, otherFiles, skippedFiles, isCutOff };
  }
  return {
    format: 'xml',
    bytesTotal: size,
    chunks: plainBytes(path, limits, position),
    otherFiles: {},
    skippedFiles: NO_FILES,
    isCutOff: false,
  };
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
