import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('XML, also with a byte order mark or in UTF-16, gzip and zip are taken', async () => {
  expect(await check('<?xml version="1.0"?>')).toMatchObject({ kind: 'xml', bytes: 21 });
  expect(await check('\uFEFF\n <HealthData>')).toMatchObject({ kind: 'xml' });
  expect(await check(Buffer.from('\uFEFF<HealthData>', 'utf16le'))).toMatchObject({ kind: 'xml' });
  expect(await check(gzipSync('<HealthData>'))).toMatchObject({ kind: 'gzip' });
  expect(await check(Buffer.from('PK\u0003\u0004rest', 'latin1'))).toMatchObject({ kind: 'zip' });
});

test('anything else is wrong usage and says what to give', async () => {
  await expect(check('id,steps\n1,2\n')).rejects.toMatchObject({ code: 'not_an_export', exitCode: 2 });
  await expect(check('')).rejects.toMatchObject({ code: 'file_empty' });
  await expect(checkExportFile(join(folder, 'none'))).rejects.toMatchObject({ code: 'file_missing' });
});

test('a folder that holds the export is answered with the file in it', async () => {
  const inside = join(folder, 'apple_health_export');
  await mkdir(inside);
  await writeFile(join(inside, 'export.xml'), '<HealthData>');
  await expect(checkExportFile(inside)).rejects.toMatchObject({
    code: 'not_a_file',
    hint: expect.stringContaining(join(inside, 'export.xml')),
  });
});
