import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { zipOf } from '../../../test/support/workout-files.js';
import { checkExportFile } from './export-file.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthctl-export-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function check(content: Buffer | string) {
  const path = join(folder, 'file');
  await writeFile(path, content);
  return checkExportFile(path);
}

test('accepts gzip, zip, and XML with or without byte order mark', async () => {
  expect(await check('<?xml version="1.0"?>')).toMatchObject({ kind: 'xml', bytes: 21 });
  expect(await check('\uFEFF\n <HealthData>')).toMatchObject({ kind: 'xml' });
  expect(await check(Buffer.from('\uFEFF<HealthData>', 'utf16le'))).toMatchObject({ kind: 'xml' });
  expect(await check(gzipSync('<HealthData>'))).toMatchObject({ kind: 'gzip' });
  expect(await check(Buffer.from('PK\u0003\u0004rest', 'latin1'))).toMatchObject({ kind: 'zip' });
});

test('rejects other formats, empty files and missing files with separate codes', async () => {
  await expect(check('id,steps\n1,2\n')).rejects.toMatchObject({ code: 'not_an_export', exitCode: 2 });
  await expect(check('')).rejects.toMatchObject({ code: 'file_empty' });
  await expect(checkExportFile(join(folder, 'none'))).rejects.toMatchObject({ code: 'file_missing' });
});

test('requires complete gzip and zip signatures, but only < for XML', async () => {
  for (const bytes of [
    [0x1f, 0x00],
    [0x00, 0x8b],
    [0xff, 0x3c],
    [0x50, 0x4b],
  ]) {
    await expect(check(Buffer.from(bytes)), String(bytes)).rejects.toMatchObject({
      code: 'not_an_export',
      hint: expect.stringContaining('export.zip'),
    });
  }
  expect(await check(Buffer.from([0x3c, 0xfe]))).toMatchObject({ kind: 'xml' });
});

test('reports missing paths, overlong names and devices with separate codes', async () => {
  const path = join(folder, 'file');
  await writeFile(path, '<HealthData>');
  await expect(checkExportFile(join(path, 'below'))).rejects.toMatchObject({ code: 'file_missing' });
  await expect(checkExportFile(join(folder, 'x'.repeat(300)))).rejects.toMatchObject({ code: 'file_unreadable' });
  await expect(checkExportFile('/dev/null')).rejects.toMatchObject({
    code: 'not_a_file',
    message: '/dev/null is not an ordinary file.',
  });
});

test('explains what to pass for a folder without an export', async () => {
  await writeFile(join(folder, 'my-export.xml'), '<HealthData>');
  await writeFile(join(folder, 'export.xml.bak'), '<HealthData>');
  await expect(checkExportFile(folder)).rejects.toMatchObject({
    code: 'not_a_file',
    hint: 'Pass the export.zip or export.xml itself.',
  });
});

test('suggests the export in a folder', async () => {
  const inside = join(folder, 'apple_health_export');
  await mkdir(inside);
  await writeFile(join(inside, 'export.xml'), '<HealthData>');
  await expect(checkExportFile(inside)).rejects.toMatchObject({
    code: 'not_a_file',
    hint: expect.stringContaining(join(inside, 'export.xml')),
  });
});

describe('the content of a file', () => {
  const FIT = Buffer.from('\u000e\u0020\u0054\u0008\u0000\u0000\u0000\u0000.FIT\u0000\u0000', 'latin1');
  it.each([
    ['a FIT file', FIT, 'workouts'],
    ['a GPX document', '<?xml version="1.0"?>\n<gpx version="1.1">', 'workouts'],
    ['a TCX document', '<TrainingCenterDatabase xmlns="x">', 'workouts'],
    ['a health export', '<?xml version="1.0"?><HealthData locale="en">', 'export'],
    ['a gzipped FIT file', gzipSync(FIT), 'workouts'],
    [
      'a gzipped GPX document',
      gzipSync(`<?xml version="1.0"?>\n<gpx version="1.1">${randomBytes(2_000).toString('hex')}`),
      'workouts',
    ],
    ['a gzipped health export', gzipSync('<?xml version="1.0"?><HealthData locale="en">'), 'export'],
    ['a damaged gzip file', Buffer.from([0x1f, 0x8b, 0, 0, 0]), 'export'],
  ])('is detected by the first bytes of %s', async (_, content, holds) => {
    expect(await check(content)).toMatchObject({ holds });
  });

  it.each([
    [['activities/1.fit.gz', 'profile.json'], 'workouts'],
    [['DI_CONNECT/Part1.zip', 'customer.json'], 'workouts'],
    [['export/export.xml', 'export/workout-routes/1.gpx'], 'export'],
    [['apple_health_export/Exportieren.xml', 'apple_health_export/workout-routes/1.gpx'], 'export'],
    [['run.gpx', 'notes.xml'], 'workouts'],
    [['activities/1.fit', 'settings/profile.xml'], 'workouts'],
    [['notes.txt'], 'export'],
  ])('is detected by the names %j in an archive', async (names, holds) => {
    expect(await check(await zipOf(Object.fromEntries(names.map((name) => [name, 'x']))))).toMatchObject({ holds });
  });
});
