import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { ImportAccepted, Problem } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountSmallDisk } from '../support/small-disk.js';
import { eventually, type ImportFixture, openImportFixture } from './import-fixture.js';
import { multipart, stepsExport } from './import-xml.js';

interface Refusal {
  detail: string | Problem[];
}

let fixture: ImportFixture;
let user: string;
beforeAll(async () => {
  // No imports run here, because the state of a file must be checked before a job claims it.
  fixture = await openImportFixture({ role: 'api', settings: { maxUploadBytes: 200_000, idleSeconds: 1 } });
  user = await fixture.createUser();
});
afterAll(() => fixture.close());

/** Sends a request in pieces. Keeps the request open if `open` is set. */
async function send(
  options: { path?: string; headers?: Record<string, string | number>; pieces?: Buffer[]; open?: boolean },
  to = fixture,
): Promise<{ status: number; body: Refusal }> {
  return new Promise((resolve, reject) => {
    const { path = to.pathOf(user), headers = {}, pieces = [], open = false } = options;
    const sent = request({ host: '127.0.0.1', port: to.port, method: 'POST', path, headers, agent: false });
    sent.on('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, body: (await json(response)) as Refusal });
      sent.destroy();
    });
    sent.on('error', reject);
    for (const piece of pieces) sent.write(piece);
    if (!open) sent.end();
  });
}

function sendFile(content: Buffer | string, part?: string, filename?: string, to = fixture) {
  const { body, type } = multipart(content, part, filename);
  return send({ headers: { 'content-type': type, 'content-length': body.length }, pieces: [body] }, to);
}

async function nothingStored(): Promise<void> {
  await eventually(async () => expect(await fixture.spooled()).toEqual([]));
  expect(await fixture.count('import_file')).toBe(0);
  expect(await fixture.count('sync_run')).toBe(0);
}

describe('a rejected upload', () => {
  it('gets 404 for an unknown user before its body arrives', async () => {
    const id = randomUUID();
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 150_000 };
    const { status, body } = await send({
      path: fixture.pathOf(id),
      headers,
      pieces: [Buffer.from('--x')],
      open: true,
    });
    expect({ status, body }).toEqual({ status: 404, body: { detail: `User with ID: ${id} not found.` } });
    await nothingStored();
  });

  it('gets 422 for a user ID that is not a UUID', async () => {
    const { status, body } = await send({ path: fixture.pathOf('not-a-uuid') });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['path', 'user_id'], type: 'uuid_parsing' }]);
  });

  it('names the expected part and the received part', async () => {
    const { status, body } = await sendFile(stepsExport(3), 'export');
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      { loc: ['body', 'file'], msg: 'Field required', type: 'missing' },
      {
        loc: ['body', 'export'],
        msg: expect.stringContaining('"export"'),
        type: 'value_error',
      },
    ]);
    await nothingStored();
  });

  it.each([
    ['with no parts', Buffer.from('--tests-boundary-7d1--\r\n'), 'multipart/form-data; boundary=tests-boundary-7d1'],
    ['of zero bytes', Buffer.alloc(0), undefined],
  ])('reports a missing part for a body %s', async (_, body, type) => {
    const headers = { 'content-length': body.length, ...(type && { 'content-type': type }) };
    const response = await send({ headers, pieces: body.length > 0 ? [body] : [] });
    expect(response.status).toBe(422);
    expect(response.body.detail).toEqual([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }]);
  });

  it('gets 415 when it is not multipart', async () => {
    const xml = Buffer.from(stepsExport(1));
    const { status, body } = await send({ headers: { 'content-type': 'application/xml' }, pieces: [xml] });
    expect(status).toBe(415);
    expect(body.detail).toContain('multipart/form-data');
  });

  it('gets 400 when its multipart body ends early', async () => {
    const { body, type } = multipart(stepsExport(10));
    const cut = body.subarray(0, 600);
    const response = await send({ headers: { 'content-type': type, 'content-length': cut.length }, pieces: [cut] });
    expect(response.status).toBe(400);
    await nothingStored();
  });

  it.each([
    ['is declared in advance', 400_000_000, true],
    ['is detected during the upload', undefined, false],
  ])('gets 413 when its size is above the limit and %s', async (_, length, open) => {
    const { body, type } = multipart(stepsExport(2000));
    const headers = { 'content-type': type, ...(length && { 'content-length': length }) };
    const response = await send({ headers, pieces: [length ? body.subarray(0, 100) : body], open });
    expect(response).toMatchObject({ status: 413, body: { detail: expect.stringContaining('200000 bytes') } });
    await nothingStored();
  });

  it('gets 413 immediately while the client sends a large file', async () => {
    const { body, type } = multipart(stepsExport(2000));
    const response = await send({ headers: { 'content-type': type }, pieces: [body], open: true });
    expect(response.status).toBe(413);
    await nothingStored();
  });

  it.each([
    ['a picture', Buffer.from('ffd8ffe000104a46494600010100', 'hex')],
    ['a table', Buffer.from('date;steps\n2026-01-05;10\n'.repeat(100))],
    ['empty', Buffer.alloc(0)],
    ['only spaces', Buffer.alloc(5000, 0x20)],
  ])('gets 422 when it is %s', async (_, content) => {
    const { status, body } = await sendFile(content);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['body', 'file'], type: 'value_error' }]);
    await nothingStored();
  });

  it('stores nothing when the client disconnects during the upload', async () => {
    const { body, type } = multipart(stepsExport(500));
    const sent = request({ host: '127.0.0.1', port: fixture.port, method: 'POST', path: fixture.pathOf(user) });
    sent.on('error', () => {});
    sent.setHeader('content-type', type);
    sent.setHeader('content-length', body.length);
    sent.write(body.subarray(0, 70_000));
    await eventually(async () => expect(await fixture.spooled()).toHaveLength(1));
    sent.destroy();
    await nothingStored();
  });

  it('gets 408 when the client stops sending', async () => {
    const { body, type } = multipart(stepsExport(500));
    const headers = { 'content-type': type, 'content-length': body.length };
    const response = await send({ headers, pieces: [body.subarray(0, 70_000)], open: true });
    expect(response.status).toBe(408);
    await nothingStored();
  });
});

describe('a file that does not fit on the disk', () => {
  const disk = mountSmallDisk(1);
  afterAll(() => disk.unmount());

  it.skipIf(disk.missing !== undefined)(`leaves space for the next file after a 507${disk.missing ?? ''}`, async () => {
    const full = await openImportFixture({ role: 'api', spoolDir: disk.folder });
    const id = await full.createUser();
    const to = { ...full, pathOf: () => full.pathOf(id) };
    const { status, body } = await sendFile(stepsExport(20_000), 'file', 'export.xml', to);
    expect(status).toBe(507);
    expect(body.detail).toContain('disk is full');
    expect(await full.spooled()).toEqual([]);
    expect((await sendFile(stepsExport(10), 'file', 'export.xml', to)).status).toBe(200);
    await full.close();
  });
});

describe('an accepted file', () => {
  it('is stored with its hash before the response', async () => {
    const xml = stepsExport(5);
    const { body } = await sendFile(xml, 'file', '../../etc/\u202eMy\\export.xml');
    const accepted = body as unknown as ImportAccepted;
    expect(accepted).toEqual({
      status: 'processing',
      run_id: expect.stringMatching(/^xml_[0-9a-f]{16}$/),
      task_id: expect.any(String),
      user_id: user,
    });
    const { rows } = await fixture.pool.query('select * from import_file where id = $1', [accepted.task_id]);
    expect(rows[0]).toMatchObject({ state: 'received', run_id: accepted.run_id, byte_size: Buffer.byteLength(xml) });
    const stored = readFileSync(fixture.spool.pathOf(rows[0].spool_name));
    expect(stored.toString()).toBe(xml);
    expect(rows[0].sha256).toEqual(createHash('sha256').update(xml).digest());
    const run = await fixture.read(`/api/v1/sync/runs/${accepted.run_id}`);
    expect(run).toMatchObject({
      stage: 'queued',
      status: 'in_progress',
      provider: 'apple',
      source: 'xml_import',
      started_at: null,
      metadata: { byte_size: xml.length, sha256: rows[0].sha256.toString('hex') },
    });
    expect((run as { metadata: { filename: string } }).metadata.filename).toBe('export.xml');
  });

  it('may be sent to the alias path with `vendorx`', async () => {
    const { body, type } = multipart(stepsExport(1));
    const path = fixture.pathOf(user).replace('/apple/', '/vendorx/');
    const { status } = await send({ path, headers: { 'content-type': type }, pieces: [body] });
    expect(status).toBe(200);
  });

  it('is accepted even if the job store does not respond', async () => {
    const deaf = await openImportFixture({ role: 'api', tryEnqueue: () => new Promise(() => {}) });
    const id = await deaf.createUser();
    expect(await deaf.upload(id, stepsExport(1))).toMatchObject({ user_id: id });
    await deaf.close();
  });
});
