import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type GenerateOptions, generateExport } from './generate-export.js';
import type { ExportTruth } from './truth.js';
import { type ZipFileEntry, zipBytes } from './zip-writer.js';

const CLINICAL_DOCUMENT =
  '<?xml version="1.0"?>\n<ClinicalDocument xmlns="urn:hl7-org:v3">\n <title>Health Data Export</title>\n</ClinicalDocument>\n<second/>\n';
const ROUTE =
  '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1"><trk><name>Route</name><trkseg><trkpt lon="21.0122" lat="52.2297"><ele>113.2</ele></trkpt></trkseg></trk></gpx>\n';

/** Returns the files of a phone's archive, including the XML. */
export function archiveEntries(xml: AsyncIterable<Buffer> | Buffer, name = 'export.xml'): ZipFileEntry[] {
  const folder = 'apple_health_export';
  return [
    { name: `${folder}/workout-routes/route_2026-03-14_6.21pm.gpx`, content: Buffer.from(ROUTE) },
    { name: `${folder}/export_cda.xml`, content: Buffer.from(CLINICAL_DOCUMENT) },
    { name: `${folder}/${name}`, content: xml },
  ];
}

/**
 * Generates an export into a file. The extension decides the format: `.zip`, `.gz`, otherwise plain XML.
 * @returns the content of the file
 */
export async function writeExport(path: string, options: GenerateOptions = {}): Promise<ExportTruth> {
  const { chunks, truth } = generateExport(options);
  const file = createWriteStream(path);
  if (path.endsWith('.zip')) await pipeline(Readable.from(zipBytes(archiveEntries(chunks))), file);
  else if (path.endsWith('.gz')) await pipeline(Readable.from(chunks), createGzip({ level: 1 }), file);
  else await pipeline(Readable.from(chunks), file);
  return truth;
}
