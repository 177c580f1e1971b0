import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

const secret = 'resting heart rate 61.25';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const keptOpen = new http.Agent({ keepAlive: true });
afterAll(() => keptOpen.destroy());

describe('bodies', () => {
  let limited: TestService;
  beforeAll(async () => {
    const perAddress = { login: 0, token: 1, refresh: 1, redeem: 0, accept: 0, connect: 0 };
    limited = await startTestService({ limits: { perAddress, perAccount: { token: 0, refresh: 0 } } });
  });
  afterAll(() => limited.stop());

  const json = { 'Content-Type': 'application/json' };

  test("reports broken JSON as one problem without the body's content", async () => {
    const response = await service.call('POST', '/api/v1/users', `{"first_name": "${secret}`, json);
    expect(response.status).toBe(422);
    expect(response.body).toEqual({ detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] });
    expect(service.logLines.join('')).not.toContain(`"first_name": "${secret}`);
  });

  test.each(['[]', '"text"', '7', 'true'])('rejects %s, which is not an object', async (body) => {
    const response = await service.call('POST', '/api/v1/users', body, json);
    expect(response.body.detail[0]).toMatchObject({ loc: ['body'], type: 'value_error' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'responds 415 to the content type %s',
    async (type) => {
      const response = await service.call('POST', '/api/v1/users', 'first_name=x', { 'Content-Type': type });
      expect(response.status).toBe(415);
    },
  );

  test.each(['application/json; charset=utf-8', 'application/merge-patch+json', 'Application/JSON'])(
    'accepts the content type %s',
    async (type) => {
      expect((await service.call('POST', '/api/v1/users', '{}', { 'Content-Type': type })).status).toBe(201);
    },
  );

  test('responds 415 to an unknown character set or encoding', async () => {
    const charset = { 'Content-Type': 'application/json; charset=klingon' };
    expect((await service.call('POST', '/api/v1/users', '{}', charset)).status).toBe(415);
    const encoding = { ...json, 'Content-Encoding': 'zip' };
    expect((await service.call('POST', '/api/v1/users', '{}', encoding)).status).toBe(415);
  });

  test('responds 413 above 64 kB, or above 16 kB without credentials', async () => {
    const response = await service.call('POST', '/api/v1/users', { first_name: 'x'.repeat(64 * 1024) });
    const tooLarge = 'The body is larger than 65536 bytes uncompressed, which is the limit of this route.';
    expect([response.status, response.body]).toEqual([413, { detail: tooLarge }]);
    const just = await service.call('POST', '/api/v1/users', `{}${' '.repeat(64 * 1024 - 2)}`, json);
    expect(just.status).toBe(201);
    const open = await service.anonymous('POST', '/api/v1/token/revoke', { refresh_token: 'x'.repeat(16 * 1024) });
    expect([open.status, open.body.detail]).toEqual([413, expect.stringContaining('16384 bytes')]);
  });

  test('responds 413 once a body of unknown length is too long', async () => {
    const sent = http.request(`${service.url}/api/v1/users`, {
      method: 'POST',
      headers: { ...json, 'X-Service-API-Key': service.first.apiKey, 'Transfer-Encoding': 'chunked' },
      agent: keptOpen,
    });
    sent.write('x'.repeat(70 * 1024));
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    expect(response.statusCode).toBe(413);
    sent.destroy();
  });

  test('rejects compression without a credential with 415', async () => {
    const packed = { ...json, 'Content-Encoding': 'gzip' };
    const response = await service.anonymous('POST', '/api/v1/token/revoke', '{}', packed);
    expect(response.status).toBe(415);
    expect(response.headers.get('accept-encoding')).toBe('identity');
  });

  test('reports nesting deeper than 32 levels with its own message', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const response = await service.call('POST', '/api/v1/users', nested(33), json);
    const msg = 'JSON is nested deeper than 32 levels';
    expect([response.status, response.body]).toEqual([422, { detail: [{ loc: ['body'], msg, type: 'json_invalid' }] }]);
    const { body } = await service.call('POST', '/api/v1/users', nested(32), json);
    expect(body.detail[0].type).toBe('value_error');
  });

  test('checks the credential and the IP limit before the body', async () => {
    const heads = async (path: string) => {
      const sent = http.request(`${limited.url}${path}`, {
        method: 'POST',
        headers: { ...json, 'Content-Length': '100' },
        agent: keptOpen,
      });
      sent.flushHeaders();
      const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
      sent.destroy();
      return response.statusCode;
    };
    expect(await heads('/api/v1/users')).toBe(401);
    for (const path of ['/api/v1/token/refresh', `/api/v1/users/${randomUUID()}/token`]) {
      expect((await limited.anonymous('POST', path, {})).status).not.toBe(429);
      expect(await heads(path)).toBe(429);
    }
  });

  test('unpacks a gzip body up to a size limit', async () => {
    const post = async (text: string) => {
      const response = await fetch(`${service.url}/api/v1/users`, {
        method: 'POST',
        headers: { ...json, 'Content-Encoding': 'gzip', 'X-Service-API-Key': service.first.apiKey },
        body: gzipSync(text),
      });
      return { status: response.status, body: (await response.json()) as { first_name?: string } };
    };
    expect((await post('{"first_name":"Zip"}')).body.first_name).toBe('Zip');
    expect((await post(`{"first_name":"${'x'.repeat(11 * 1024 * 1024)}"}`)).status).toBe(413);
    expect((await post(`{"first_name":"${'x'.repeat(64 * 1024)}"}`)).status).toBe(413);
  });

  test('responds 400 to invalid gzip', async () => {
    const response = await service.call('POST', '/api/v1/users', '{}', { ...json, 'Content-Encoding': 'gzip' });
    expect(response.status).toBe(400);
  });

  test('reports at most a hundred of a thousand problems', async () => {
    const scopes = Array.from({ length: 1000 }, () => 'everything');
    const { call } = await service.logIn();
    const response = await call('POST', '/api/v1/developer/api-keys', { scopes });
    expect([response.status, response.body.detail.length]).toEqual([422, 100]);
  });

  test('reports an email that is too long as one problem', async () => {
    const response = await service.call('POST', '/api/v1/users', { email: `${'x'.repeat(60_000)}@clinic.example` });
    expect([response.status, response.body.detail.map(({ type }: { type: string }) => type)]).toEqual([
      422,
      ['string_too_long'],
    ]);
  });
});

describe('clients that omit the end or the length of a body', () => {
  test('cause no failure when they stop in the middle of a body', async () => {
    const { port } = new URL(service.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /api/v1/users HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${service.first.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"first`,
        );
        setTimeout(() => socket.destroy(), 50);
      });
      socket.once('close', () => resolve());
    });
    expect((await service.call('GET', '/api/v1/users')).status).toBe(200);
  });

  test('get 415 for an unsupported content type', async () => {
    const status = await new Promise((resolve) => {
      const headers = { 'X-Service-API-Key': service.first.apiKey, 'Content-Type': 'text/plain' };
      const request = http.request(`${service.url}/api/v1/users`, { method: 'POST', headers }, (response) =>
        resolve(response.statusCode),
      );
      request.write('{}');
      request.end();
    });
    expect(status).toBe(415);
  });
});
