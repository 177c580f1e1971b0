import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { bind, StreamingResponse } from '@healthd/daemon/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestService, type TestService } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const open = { auth: 'public', audit: { exempt: 'test' }, tag: 'Meta', summary: 'Test', status: 200 } as const;
const text = {
  ...open,
  id: 'text',
  method: 'GET',
  path: '/api/v1/text/{length}',
} as const;
const page = { ...open, id: 'page', method: 'GET', path: '/api/v1/page' } as const;
const lines = { ...open, id: 'lines', method: 'GET', path: '/api/v1/lines' } as const;
const events = { ...open, id: 'events', method: 'GET', path: '/api/v1/events' } as const;
const failing = { ...open, id: 'failing', method: 'GET', path: '/api/v1/failing' } as const;

let service: TestService;
let release: () => void = () => {};

/** Sends the first piece, waits until the test has read it, then sends the second piece. */
async function* inTwoParts(first: string, second: string) {
  yield first;
  await new Promise<void>((resolve) => {
    release = resolve;
  });
  yield second;
}

// biome-ignore lint/correctness/useYield: the generator fails before its first piece
async function* withoutDatabase(): AsyncGenerator<string> {
  throw new Error('no database');
}

async function* manyPieces() {
  for (let index = 0; index < 2_000; index += 1) yield `${JSON.stringify({ index, padding: 'x'.repeat(500) })}\n`;
}

beforeAll(async () => {
  service = await startTestService({
    bindings: [
      bind(
        { ...text, params: z.object({ length: z.coerce.number() }) },
        async ({ params }) => ({ text: 'a'.repeat(params.length) }) as never,
      ),
      bind(page, async () => new StreamingResponse(manyPieces())),
      bind(lines, async () => {
        const headers = { 'Content-Type': 'application/x-ndjson' };
        return new StreamingResponse(inTwoParts('{"line":1}\n', '{"line":2}\n'), headers);
      }),
      bind(events, async () => {
        return new StreamingResponse(inTwoParts('data: 1\n\n', 'data: 2\n\n'), { 'Content-Type': 'text/event-stream' });
      }),
      bind(failing, async () => new StreamingResponse(withoutDatabase())),
    ],
  });
});
afterAll(() => service.stop());

/** Sends a request without fetch, which would decompress the response. */
function get(url: string, encoding: string | undefined, onData: (chunk: Buffer) => void = () => {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const headers = encoding === undefined ? {} : { 'Accept-Encoding': encoding };
    const request = http.get(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        onData(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject);
  });
}

describe('response compression', () => {
  test('compresses responses above 1 kB with gzip even if brotli is preferred', async () => {
    for (const encoding of ['gzip', 'br, gzip;q=0.5', 'gzip, deflate, br, zstd', '*']) {
      const { headers, body } = await get(`${service.url}/api/v1/text/2000`, encoding);
      expect(headers['content-encoding'], encoding).toBe('gzip');
      expect(headers.vary).toContain('Accept-Encoding');
      expect(JSON.parse(gunzipSync(body).toString())).toEqual({ text: 'a'.repeat(2000) });
    }
  });

  test('does not compress without gzip support or for small responses', async () => {
    for (const [length, encoding] of [
      [2000, undefined],
      [2000, 'identity'],
      [2000, 'br'],
      [2000, 'gzip;q=0'],
      [500, 'gzip'],
    ] as const) {
      const { headers, body } = await get(`${service.url}/api/v1/text/${length}`, encoding);
      expect(headers['content-encoding'], `${length} ${encoding}`).toBeUndefined();
      expect(JSON.parse(body.toString())).toEqual({ text: 'a'.repeat(length) });
    }
  });

  test('compresses a streamed page as a whole', async () => {
    const plain = await get(`${service.url}/api/v1/page`, undefined);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const { headers, body } = await get(`${service.url}/api/v1/page`, 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(headers.vary).toContain('Accept-Encoding');
    expect(gunzipSync(body).equals(plain.body)).toBe(true);
    expect(body.length).toBeLessThan(plain.body.length / 5);
  });

  test('sends each NDJSON line immediately despite compression', async () => {
    let released = false;
    const { headers, body } = await get(`${service.url}/api/v1/lines`, 'gzip', (chunk) => {
      // A chunk of at most 10 bytes contains only the gzip header, without a line.
      if (released || chunk.length <= 10) return;
      released = true;
      release();
    });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(body).toString()).toBe('{"line":1}\n{"line":2}\n');
  });

  test('never compresses event streams', async () => {
    const { headers, body } = await get(`${service.url}/api/v1/events`, 'gzip', () => release());
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.toString()).toBe('data: 1\n\ndata: 2\n\n');
  });

  test('responds in plain JSON if a stream fails before its first byte', async () => {
    const { status, headers, body } = await get(`${service.url}/api/v1/failing`, 'gzip');
    expect(status).toBe(500);
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(body.toString()).detail).toBe('Internal Server Error');
  });
});

describe('console files and icons', () => {
  let whole: WholeService;
  beforeAll(async () => {
    whole = await startWholeService({});
  });
  afterAll(() => whole.stop());

  test('serves prebuilt compressed files, brotli before gzip', async () => {
    const html = (await get(`${whole.url}/users`, undefined)).body.toString();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
    expect(script).toBeDefined();
    const plain = await get(whole.url + script, undefined);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers['cache-control']).toContain('immutable');
    const brotli = await get(whole.url + script, 'gzip, deflate, br');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    const gzip = await get(whole.url + script, 'gzip');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    for (const { headers } of [brotli, gzip]) expect(headers['content-type']).toMatch(/^text\/javascript/);
  });

  test('keeps the console shell below 130 kB, without the chart library', async () => {
    const html = (await get(`${whole.url}/users`, undefined)).body.toString();
    const files = new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? ''));
    expect(files.size).toBeGreaterThan(1);
    let bytes = 0;
    for (const path of files) {
      bytes += (await get(whole.url + path, 'br')).body.length;
      expect((await get(whole.url + path, undefined)).body.toString()).not.toContain('uplot');
    }
    expect(bytes).toBeLessThan(130_000);
  });

  test('lets pages of any origin show provider icons', async () => {
    const { headers } = await get(`${whole.url}/static/provider-icons/google.svg`, undefined);
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});
