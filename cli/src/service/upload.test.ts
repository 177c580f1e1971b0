import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { uploadFile } from './upload.js';

const FILE_BYTES = 24 * 1024 * 1024;
let folder: string;
let server: Server | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthctl-upload-'));
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

interface SendOptions {
  bytes?: number;
  signal?: AbortSignal;
  /** Changes the file after its size was read. */
  meanwhile?: (file: string) => Promise<void>;
}

async function send(listener: RequestListener, options: SendOptions = {}) {
  server = createServer(listener);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const file = join(folder, 'ex"port.xml');
  const content = randomBytes(options.bytes ?? FILE_BYTES);
  await writeFile(file, content);
  await options.meanwhile?.(file);
  let sent = 0;
  const response = uploadFile({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    path: '/upload',
    part: 'file',
    file,
    fileBytes: content.length,
    headers: { 'X-Service-API-Key': 'sk-x' },
    signal: options.signal ?? new AbortController().signal,
    onSent: (bytes) => {
      sent = bytes;
    },
  });
  return { answer: response, content, sentBytes: () => sent };
}

test('announces the exact length of the sent body', async () => {
  let received = Buffer.alloc(0);
  let announced = 0;
  const {
    answer: result,
    content,
    sentBytes,
  } = await send(async (request, response) => {
    announced = Number(request.headers['content-length']);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received = Buffer.concat(chunks);
    response.setHeader('X-Request-ID', 'r1').end('{"run_id":"xml_1"}');
  });
  expect(await result).toEqual({ body: { run_id: 'xml_1' }, status: 200, requestId: 'r1' });
  expect(received.length).toBe(announced);
  const head = received.indexOf('\r\n\r\n');
  expect(received.subarray(0, head).toString()).toContain('name="file"; filename="ex%22port.xml"');
  const body = received.subarray(head + 4, head + 4 + content.length);
  expect(sha(body)).toBe(sha(content));
  expect(sentBytes()).toBe(content.length);
});

test.each([401, 413, 422])('stops the upload on an early %i response', async (status) => {
  const { answer: result, sentBytes } = await send((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
    response.end('{"detail":"Not that way."}');
  });
  await expect(result).rejects.toMatchObject({ name: 'ApiError', status, message: 'Not that way.' });
  expect(sentBytes()).toBeLessThan(FILE_BYTES);
});

test('reports a broken connection as unreachable', async () => {
  const { answer: response } = await send((request) => void request.once('data', () => request.socket.destroy()));
  await expect(response).rejects.toMatchObject({ name: 'UnreachableError' });
});

test('reports a file that shrinks during the upload', async () => {
  const ended: string[] = [];
  const { answer: result } = await send(
    (request, response) => {
      request.on('end', () => ended.push('whole')).on('close', () => ended.push('closed'));
      request.resume();
      response.on('error', () => undefined);
    },
    { bytes: 3 * 1024 * 1024, meanwhile: (file) => truncate(file, 1024 * 1024) },
  );
  await expect(result).rejects.toMatchObject({ name: 'CliError', code: 'file_changed' });
  await expect.poll(() => ended).toEqual(['closed']);
});

test('sends only the announced bytes of a growing file', async () => {
  let body = Buffer.alloc(0);
  const { answer: result, content } = await send(
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      body = Buffer.concat(chunks);
      response.end('{"run_id":"xml_1"}');
    },
    { bytes: 1024 * 1024, meanwhile: (file) => appendFile(file, 'more') },
  );
  expect((await result).status).toBe(200);
  const start = body.indexOf('\r\n\r\n') + 4;
  expect(sha(body.subarray(start, start + content.length))).toBe(sha(content));
  expect(body.subarray(start + content.length).toString()).toMatch(/^\r\n--healthctl-/);
});

test('ends an aborted upload with an AbortError', async () => {
  const stop = new AbortController();
  const { answer: response } = await send((request) => void request.once('data', () => stop.abort()), {
    signal: stop.signal,
  });
  await expect(response).rejects.toMatchObject({ name: 'AbortError' });
});

function sha(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
