import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { archiveEntries, type ZipFileEntry, zipBytes } from '@healthd/simulators';
import { afterAll, describe, expect, it } from 'vitest';
import type { ExportLimits } from './limits.js';
import { readExport } from './read-export.js';

const folder = mkdtempSync(join(tmpdir(), 'export-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FLUSHED = { finishFlush: constants.Z_SYNC_FLUSH };
const RECORD = '<Record type="T" sourceName="S" unit="count" startDate="2024-05-01 10:00:00 +0200" value="1"/>\n';
const XML = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>\n<HealthData>\n${RECORD.repeat(500)}<Workout/>\n</HealthData>`,
);

describe('an export file', () => {
  it('recognizes an export by content, not by name', async () => {
    expect(await read(XML)).toMatchObject({
      format: 'xml',
      records: 500,
      truncated: false,
      elementCounts: { Workout: 1 },
    });
    expect(await read(gzipSync(XML))).toMatchObject({ format: 'gzip', records: 500, truncated: false });
    expect(await read(await zip(archiveEntries(XML)))).toMatchObject({ format: 'zip', records: 500, truncated: false });
    expect(await read(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), XML]))).toMatchObject({ records: 500 });
  });

  it.each<[string, ZipFileEntry[], boolean]>([
    ['a translated name', archiveEntries(XML, 'Exportieren.xml'), false],
    ['a name in another script', archiveEntries(XML, '导出.xml'), false],
    ['a name without an extension', [{ name: 'data', content: XML }], false],
    ['the 64-bit format', archiveEntries(XML), true],
    ['a stored file', [{ name: 'export.xml', content: XML, stored: true }], false],
  ])('is found in an archive with %s', async (_, entries, zip64) => {
    expect(await read(await zip(entries, zip64))).toMatchObject({ format: 'zip', records: 500, truncated: false });
  });

  it.each([
    ['in a legacy code page', Buffer.from([0x65, 0x78, 0x81, 0x2e, 0x78, 0x6d, 0x6c])],
    ['with a path outside the folder', Buffer.from('../../etc/export.xml')],
  ])('is found in an archive under an unusual name %s', async (_, name) => {
    const placeholder = 'n'.repeat(name.length);
    const archive = await zip([{ name: placeholder, content: XML }]);
    expect(await read(renamed(archive, placeholder, name))).toMatchObject({ records: 500, truncated: false });
  });

  it('reports the types of other archived files without their names', async () => {
    const beside = [
      'workout-routes/route_2026-03-14_6.21pm.gpx',
      'workout-routes/Meine Runde.GPX',
      'electrocardiograms/ecg_2026-03-14.csv',
      'export_cda.xml',
      'clinical-records/Observation-1.json',
      'a note to myself',
      'photo.jpg',
      '__MACOSX/apple_health_export/._export.xml',
      '.DS_Store',
    ].map((name) => ({ name: `apple_health_export/${name}`, content: Buffer.from('something') }));
    const empty = { name: 'apple_health_export/attachments/', content: Buffer.alloc(0) };
    const entries = [...beside, empty, { name: 'apple_health_export/export.xml', content: XML }];
    expect((await read(await zip(entries))).otherFiles).toEqual({
      workout_routes: 2,
      electrocardiograms: 1,
      clinical_documents: 1,
      clinical_records: 1,
      attachments: 1,
      others: 1,
    });
    expect((await read(XML)).otherFiles).toEqual({});
  });

  it("counts records' child elements", async () => {
    const beats = '<HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute/></HeartRateVariabilityMetadataList>';
    const record = RECORD.replace('/>', `><MetadataEntry key="k" value="v"/>${beats}</Record>`);
    const summary = await read(Buffer.from(`<HealthData>${record.repeat(3)}</HealthData>`));
    expect(summary.recordChildCounts).toEqual({ HeartRateVariabilityMetadataList: 3 });
  });

  it('limits distinct element names', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `<Element${index}/>`).join('');
    const summary = await read(Buffer.from(`<HealthData>${RECORD}${names}</HealthData>`));
    expect(Object.keys(summary.elementCounts)).toHaveLength(501);
    expect(summary.elementCounts.others).toBe(100);
  });

  it('delivers all records before the end of a truncated file', async () => {
    const noise = Buffer.from(
      `<HealthData>\n${Array.from({ length: 4000 }, (_, n) => RECORD.replace('value="1"', `value="${Math.sin(n)}"`)).join('')}</HealthData>`,
    );
    const cuts = { xml: noise, gzip: gzipSync(noise), zip: await zip(archiveEntries(noise)) };
    for (const [format, whole] of Object.entries(cuts)) {
      const cut = await read(whole.subarray(0, Math.floor(whole.length * 0.6)));
      expect(cut).toMatchObject({ format, truncated: true });
      expect(cut.records).toBeGreaterThan(2000);
      expect(cut.records).toBeLessThan(3000);
    }
  });

  it('reads the whole export from an archive without a directory', async () => {
    const whole = await zip(archiveEntries(XML));
    const directory = whole.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    expect(await read(whole.subarray(0, directory))).toMatchObject({ records: 500, truncated: true });
  });

  it('reports progress up to the end', async () => {
    const { progress } = await read(await zip(archiveEntries(XML)));
    expect(progress.at(-1)).toMatchObject({ recordsSeen: 500 });
    expect(progress.at(-1)?.bytesRead).toBe(progress.at(-1)?.bytesTotal);
  });

  it.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['an empty file', () => Buffer.alloc(0), 'not_xml'],
    ['text that is not XML', () => Buffer.from('steps,date\n1,2\n'), 'not_xml'],
    ['a picture', () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), 'not_xml'],
    ['other XML', () => Buffer.from('<html><body/></html>'), 'not_an_export'],
    ['only an XML declaration', () => Buffer.from('<?xml version="1.0"?>'), 'not_an_export'],
    ['UTF-16', () => Buffer.from('\ufeff<HealthData/>', 'utf16le'), 'encoding_unsupported'],
    [
      'another encoding',
      () => Buffer.from('<?xml version="1.0" encoding="ISO-8859-2"?><HealthData/>'),
      'encoding_unsupported',
    ],
    ['an archive with only the clinical document', () => zip(archiveEntries(XML).slice(0, 2)), 'zip_without_export'],
    ['an empty archive', () => zip([]), 'zip_without_export'],
    [
      'an archive of zeros',
      () => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(5000)]),
      'archive_damaged',
    ],
    ['a truncated archive', () => brokenZip(), 'archive_damaged'],
    ['a truncated gzip file', () => broken(gzipSync(noisy(), FLUSHED)), 'archive_damaged'],
    [
      'an archive with one wrong byte',
      async () => changed(await zip([{ name: 'a.xml', content: XML, stored: true }])),
      'archive_damaged',
    ],
    [
      'an encrypted archive',
      async () => encrypted(await zip([{ name: 'export.xml', content: XML }])),
      'archive_encrypted',
    ],
  ])('rejects %s with a reason', async (_, make, code) => {
    await expect(read(await make())).rejects.toMatchObject({ name: 'ExportError', code });
  });

  it('rejects a file that decompresses beyond a limit', async () => {
    const bomb = Buffer.concat([Buffer.from('<HealthData>'), Buffer.alloc(40 * 2 ** 20, ' ')]);
    await expect(read(gzipSync(bomb))).rejects.toMatchObject({ code: 'ratio_exceeded' });
    await expect(read(await zip([{ name: 'export.xml', content: bomb }]))).rejects.toMatchObject({
      code: 'ratio_exceeded',
    });
    const limits = { maxUnpackedBytes: 2 ** 20, maxRatio: 1e9 };
    await expect(read(gzipSync(bomb), limits)).rejects.toMatchObject({ code: 'unpacked_too_large' });
    await expect(read(bomb, limits)).rejects.toMatchObject({ code: 'unpacked_too_large' });
  });

  it('rejects a 100 MB attribute without buffering it', async () => {
    const path = join(folder, 'attribute');
    writeFileSync(path, Buffer.concat([Buffer.from('<HealthData><Record type="'), Buffer.alloc(100 * 2 ** 20, 'x')]));
    let bytesSeen = 0;
    const handler = {
      onRecord() {},
      onElement() {},
      onChunk: (progress: { bytesRead: number }) => {
        bytesSeen = progress.bytesRead;
      },
    };
    await expect(readExport(path, handler)).rejects.toMatchObject({ code: 'attribute_too_long' });
    expect(bytesSeen).toBeLessThan(2 ** 20);
  });
});

async function read(bytes: Buffer, limits: Partial<ExportLimits> = {}) {
  const path = join(folder, 'upload.bin');
  writeFileSync(path, bytes);
  let records = 0;
  const progress: { bytesRead: number; bytesTotal: number; recordsSeen: number }[] = [];
  const onRecord = () => void records++;
  const summary = await readExport(
    path,
    { onRecord, onElement() {}, onChunk: (at) => void progress.push(at) },
    { limits },
  );
  return { ...summary, records, progress };
}

async function zip(entries: ZipFileEntry[], zip64 = false): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of zipBytes(entries, { zip64 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the archive with another file name of equal length, without the UTF-8 flag. */
function renamed(archive: Buffer, from: string, to: Buffer): Buffer {
  const bytes = Buffer.from(archive);
  for (const [signature, flagsAt] of [['PK\u0003\u0004', 6] as const, ['PK\u0001\u0002', 8] as const]) {
    const header = bytes.indexOf(signature, 0, 'latin1');
    bytes.writeUInt16LE(bytes.readUInt16LE(header + flagsAt) & ~0x0800, header + flagsAt);
    to.copy(bytes, bytes.indexOf(from, header));
  }
  return bytes;
}

function noisy(): Buffer {
  const records = Array.from({ length: 30_000 }, (_, n) => RECORD.replace('value="1"', `value="${Math.sin(n)}"`));
  return Buffer.from(`<HealthData>\n${records.join('')}</HealthData>`);
}

// The flushed data ends on a whole byte. The next block has an invalid type.
function broken(flushed: Buffer): Buffer {
  return Buffer.concat([flushed, Buffer.alloc(4096, 0xff)]);
}

async function brokenZip(): Promise<Buffer> {
  const content = broken(deflateRawSync(noisy(), FLUSHED));
  const archive = await zip([{ name: 'export.xml', content, stored: true }]);
  archive.writeUInt16LE(8, 8);
  archive.writeUInt16LE(8, archive.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 10);
  return archive;
}

function changed(archive: Buffer): Buffer {
  const at = archive.indexOf('value="1"') + 'value="'.length;
  archive[at] = 0x32;
  return archive;
}

function encrypted(archive: Buffer): Buffer {
  const marked = Buffer.from(archive);
  const central = marked.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  marked.writeUInt16LE(marked.readUInt16LE(central + 8) | 1, central + 8);
  marked.writeUInt16LE(marked.readUInt16LE(6) | 1, 6);
  return marked;
}
