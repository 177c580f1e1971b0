import { bind, StreamingResponse } from '@healthd/daemon/http';
import { repeated, userParams } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Failure } from '../../daemon/src/platform/failures.js';
import { startTestService, type TestService } from '../support/service.js';

const open = { auth: 'public', audit: { exempt: 'test' }, tag: 'Meta', summary: 'Test', status: 200 } as const;
const crash = { ...open, id: 'crash', method: 'GET', path: '/api/v1/crash' } as const;
const busy = { ...open, id: 'busy', method: 'GET', path: '/api/v1/busy' } as const;
const away = { ...open, id: 'away', method: 'GET', path: '/api/v1/away' } as const;
const words = {
  ...open,
  id: 'words',
  method: 'GET',
  path: '/api/v1/words',
} as const;
const wordsQuery = z.object({ types: repeated(z.string()), one: z.string().optional() });
const stream = { ...open, id: 'stream', method: 'GET', path: '/api/v1/stream' } as const;
const brokenStream = { ...open, id: 'brokenStream', method: 'GET', path: '/api/v1/broken-stream' } as const;
const lateBrokenStream = { ...open, id: 'late', method: 'GET', path: '/api/v1/late-broken-stream' } as const;
const endless = { ...open, id: 'endless', method: 'GET', path: '/api/v1/endless' } as const;
const nothing = { ...open, id: 'nothing', method: 'DELETE', path: '/api/v1/nothing', status: 204 } as const;
const lying = {
  ...open,
  id: 'lying',
  method: 'GET',
  path: '/api/v1/lying',
} as const;

let service: TestService;
let left: Promise<void>;
const secret = 'resting heart rate 61.25';

beforeAll(async () => {
  let leave = () => {};
  left = new Promise((resolve) => {
    leave = resolve;
  });
  service = await startTestService({
    corsOrigins: ['https://portal.example/'],
    bindings: [
      bind(busy, async () => {
        throw new Failure('unavailable', 'Too much waits. Send it again.');
      }),
      bind(away, async () => {
        throw new Failure('unavailable', 'The vendor is away.', { cause: new Error('no answer') });
      }),
      bind(crash, async () => {
        throw new Error(secret);
      }),
      bind({ ...words, query: wordsQuery }, async ({ query }) => query as never),
      bind(stream, async () => new StreamingResponse(chunks(['{"a":', '1}']))),
      bind(brokenStream, async () => new StreamingResponse(failing([]), { 'Content-Type': 'application/x-ndjson' })),
      bind(lateBrokenStream, async () => new StreamingResponse(failing(['{"data":[']))),
      bind(endless, async ({ signal }) => {
        signal.addEventListener('abort', () => leave());
        return new StreamingResponse(forever(signal), { 'Content-Type': 'text/event-stream' });
      }),
      bind(nothing, async () => undefined),
      bind({ ...lying, response: z.object({ value: z.number() }) }, async () => ({ value: 'seven' }) as never),
    ],
  });
});
afterAll(() => service.stop());

async function* chunks(list: string[]) {
  yield* list;
}
async function* failing(list: string[]) {
  yield* list;
  throw new Error(secret);
}
async function* forever(signal: AbortSignal) {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  yield '';
}

describe('every response', () => {
  test("has a new request ID or the caller's valid request ID", async () => {
    const own = await service.anonymous('GET', '/api/v1/words', undefined, { 'X-Request-ID': 'abc-1.2_3' });
    expect(own.headers.get('x-request-id')).toBe('abc-1.2_3');
    for (const id of ['x'.repeat(65), 'a b', '<script>']) {
      const made = await service.anonymous('GET', '/api/v1/words', undefined, { 'X-Request-ID': id });
      expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('contains the security headers, including no-store', async () => {
    const { headers } = await service.anonymous('GET', '/api/v1/words');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
  });
});

describe('errors', () => {
  test('responds 404 to an unknown path', async () => {
    for (const path of ['/api/v1/nowhere', '/health', '/API/v1/users']) {
      const response = await service.call('GET', path);
      expect([response.status, response.body]).toEqual([404, { detail: 'Not Found' }]);
    }
  });

  test('responds 405 with the allowed methods to a wrong method', async () => {
    const response = await service.call('PUT', '/api/v1/users');
    expect([response.status, response.body]).toEqual([405, { detail: 'Method Not Allowed' }]);
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  test.each(['GET', 'DELETE', 'PATCH'])('responds 405 to %s on a path that allows only POST', async (method) => {
    const response = await service.call(method, '/api/v1/invitations/accept');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('changes nothing for a PATCH without a body', async () => {
    const { call } = await service.logIn();
    const me = (await call('GET', '/api/v1/auth/me')).body;
    const user = (await call('POST', '/api/v1/users', { first_name: 'Anna' })).body;
    const [key] = (await call('GET', '/api/v1/developer/api-keys')).body;
    for (const [path, before] of [
      ['/api/v1/auth/me', me],
      [`/api/v1/developers/${me.id}`, me],
      [`/api/v1/users/${user.id}`, user],
      [`/api/v1/developer/api-keys/${key.id}`, key],
    ]) {
      const response = await call('PATCH', path);
      expect([path, response.status, response.body.first_name, response.body.name]).toEqual([
        path,
        200,
        before.first_name,
        before.name,
      ]);
    }
  });

  test('only logs the details of an unexpected error', async () => {
    const response = await service.anonymous('GET', '/api/v1/crash', undefined, { 'X-Request-ID': 'find-me' });
    expect(response.status).toBe(500);
    expect(response.body).toEqual({ detail: 'Internal Server Error', request_id: 'find-me' });
    const line = service.logLines.map((text) => JSON.parse(text)).find((entry) => entry.event === 'unexpected_error');
    expect(line).toMatchObject({ level: 50, request_id: 'find-me', err: { message: secret } });
  });

  test('responds 500 in tests if a response breaks its declaration', async () => {
    expect((await service.anonymous('GET', '/api/v1/lying')).status).toBe(500);
  });

  test('responds 400 to an invalid path encoding', async () => {
    const response = await service.call('GET', '/api/v1/users/%E0%A4%A');
    expect(response.status).toBe(400);
  });

  test('explains an invalid UUID', async () => {
    const response = await service.call('GET', '/api/v1/users/not-a-uuid');
    expect(response.status).toBe(422);
    expect(response.body.detail).toEqual([
      {
        loc: ['path', 'user_id'],
        msg: 'Input should be a valid UUID',
        type: 'uuid_parsing',
        input: 'not-a-uuid',
        ctx: { error: 'invalid character: found `n` at 1' },
      },
    ]);
  });

  test('reports all problems of path, query and body together', async () => {
    const developer = (await service.logIn()).call;
    const response = await developer('PATCH', '/api/v1/users/x', { first_name: 1, email: 'x' });
    expect(response.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'path.user_id',
      'body.first_name',
      'body.email',
    ]);
  });
});

describe('parameters', () => {
  test('become a list if repeatable, otherwise the last value', async () => {
    const { body } = await service.anonymous('GET', '/api/v1/words?types=a&types=b&one=1&one=2');
    expect(body).toEqual({ types: ['a', 'b'], one: '2' });
    expect((await service.anonymous('GET', '/api/v1/words?types=a')).body).toEqual({ types: ['a'] });
  });
});

describe('streamed responses', () => {
  test('arrive complete', async () => {
    expect((await service.anonymous('GET', '/api/v1/stream')).body).toEqual({ a: 1 });
  });

  test('get an ordinary 500 if they fail before the first byte', async () => {
    const response = await service.anonymous('GET', '/api/v1/broken-stream');
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(JSON.stringify(response.body)).not.toContain(secret);
  });

  test('break the connection if they fail later', async () => {
    await expect(service.anonymous('GET', '/api/v1/late-broken-stream')).rejects.toThrow();
  });

  test('stop when the client disconnects', async () => {
    const abort = new AbortController();
    const response = await fetch(`${service.url}/api/v1/endless`, { signal: abort.signal });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    abort.abort();
    await left;
  });
});

describe('HEAD', () => {
  test.each([
    ['/api/v1/words', 200],
    ['/api/v1/stream', 200],
    ['/api/v1/endless', 200],
    ['/api/v1/nowhere', 404],
    ['/api/v1/nothing', 405],
  ])('returns the status of GET without a body for %s', async (path, status) => {
    const response = await service.anonymous('HEAD', path);
    expect([response.status, response.body]).toEqual([status, '']);
  });
});

test('sends no body with a 204', async () => {
  const response = await service.anonymous('DELETE', '/api/v1/nothing');
  expect([response.status, response.body, response.headers.get('content-type')]).toEqual([204, '', null]);
});

describe('pages of other origins', () => {
  const preflight = (origin: string) =>
    service.anonymous('OPTIONS', '/api/v1/users', undefined, {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-service-api-key',
    });

  test('may call if the origin is listed', async () => {
    const response = await preflight('https://portal.example');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://portal.example');
    expect(response.headers.get('access-control-allow-headers')).toBe('x-service-api-key');
    expect(response.headers.get('vary')).toContain('Origin');
    const read = await service.call('GET', '/api/v1/users', undefined, { Origin: 'https://portal.example' });
    expect(read.headers.get('access-control-allow-origin')).toBe('https://portal.example');
    expect(read.headers.get('access-control-expose-headers')).toContain('X-Request-ID');
  });

  test.each(['https://evil.example', 'https://portal.example.evil.example', 'http://portal.example', 'null'])(
    'may not call from %s',
    async (origin) => {
      const response = await preflight(origin);
      expect(response.status).toBe(400);
      const read = await service.call('GET', '/api/v1/users', undefined, { Origin: origin });
      for (const { headers } of [response, read]) {
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('access-control-allow-credentials')).toBeNull();
      }
    },
  );
});

describe('secrets and personal data', () => {
  test('never appear in the log of a database error', async () => {
    await service.pool.query("alter table health_user add constraint no_anna check (first_name <> 'Anna-Maria')");
    const response = await service.call('POST', '/api/v1/users', { first_name: 'Anna-Maria' });
    await service.pool.query('alter table health_user drop constraint no_anna');
    expect(response.status).toBe(500);
    expect(service.logLines.join('')).toContain('no_anna');
    expect(service.logLines.join('') + JSON.stringify(response.body)).not.toContain('Anna-Maria');
  });

  test('never appear in any log line', async () => {
    const { tokens } = await service.logIn();
    const query = 'email=jo%40clinic.example&search=Mustermann';
    await service.call('GET', `/api/v1/users?${query}`);
    await service.call('POST', '/api/v1/users', { first_name: 'Mustermann', email: 'jo@clinic.example' });
    await service.as(tokens.access_token)('GET', '/api/v1/auth/me');
    await service.anonymous('POST', '/api/v1/token/refresh', { refresh_token: tokens.refresh_token });
    await service.anonymous('POST', '/api/v1/auth/login', 'username=jo@clinic.example&password=hunter2-hunter2', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    const log = service.logLines.join('\n');
    const shared = [service.first.apiKey, tokens.access_token, tokens.refresh_token, service.first.password];
    for (const word of [...shared, 'hunter2', 'Mustermann', 'jo@', 'jo%40']) expect(log).not.toContain(word);
    expect(log).toContain('/api/v1/users');
  });
});

describe('ERROR_FORMAT=compat', () => {
  let compat: TestService;
  beforeAll(async () => {
    compat = await startTestService({
      errorFormat: 'compat',
      bindings: [
        bind(
          { ...words, path: '/api/v1/x/{user_id}', params: userParams, query: wordsQuery },
          async () => ({}) as never,
        ),
      ],
    });
  });
  afterAll(() => compat.stop());

  test('returns the first problem as text with 400', async () => {
    const response = await compat.call('POST', '/api/v1/users', { first_name: 1, last_name: 2 });
    expect(response.status).toBe(400);
    expect(response.body.detail).toBe('Input should be a valid string');
    expect(response.body.errors).toHaveLength(2);
  });

  test('repeats the cause of an invalid UUID', async () => {
    const { body } = await compat.call('GET', '/api/v1/users/zz');
    expect(body.detail).toBe(
      'Input should be a valid UUID, invalid character: found `z` at 1 - invalid character: found `z` at 1',
    );
  });

  test('leaves other errors unchanged', async () => {
    expect((await compat.anonymous('GET', '/api/v1/users')).status).toBe(401);
    expect((await compat.call('GET', '/nowhere')).body).toEqual({ detail: 'Not Found' });
  });
});

test('logs a retryable 503 as warning and a crash as error', async () => {
  const lineOf = async (path: string) => {
    await service.call('GET', path);
    return service.logLines.map((text) => JSON.parse(text)).findLast(({ req }) => req?.path === path);
  };
  expect(await lineOf('/api/v1/busy')).toMatchObject({ level: 40, res: { status: 503 } });
  expect((await lineOf('/api/v1/busy')).err).toBeUndefined();
  // The vendor is unavailable. A separate warning line contains the cause.
  expect(await lineOf('/api/v1/away')).toMatchObject({ level: 40, res: { status: 503 } });
  expect((await lineOf('/api/v1/away')).err).toBeUndefined();
  expect(await lineOf('/api/v1/crash')).toMatchObject({ level: 50, res: { status: 500 } });
});
