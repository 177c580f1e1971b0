import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, caller } from '../support/service.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const LISTED = 'https://app.clinic.example';

let service: WholeService;
let call: Call;
beforeAll(async () => {
  service = await startWholeService({ CORS_ORIGINS: LISTED });
  call = caller(service, { [service.apiKeyHeader]: service.apiKey });
});
afterAll(() => service.stop());

const cors = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('API responses', () => {
  test.each([
    ['data', 'GET', '/api/v1/users'],
    ['a login', 'POST', '/api/v1/auth/login'],
    ['a rejection', 'GET', '/api/v1/audit'],
    ['invalid input', 'GET', '/api/v1/users/x'],
    ['a missing page', 'GET', '/api/v1/nothing'],
  ])('are never cached by browsers and proxies: %s', async (_what, method, path) => {
    expect((await call(method, path)).headers.get('cache-control')).toBe('no-store');
  });

  test.each(['/api/v1/users', '/openapi.json', '/docs'])('%s has the browser security headers', async (path) => {
    const { headers } = await call('GET', path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'self'.*object-src 'none'/);
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test.each(['/api/v1/users', '/docs'])('block content of other hosts on %s', async (path) => {
    const policy = (await call('GET', path)).headers.get('content-security-policy') ?? '';
    const sources = policy.split(';').flatMap((directive) => directive.trim().split(' ').slice(1));
    expect(sources.filter((source) => !source.startsWith("'") && source !== 'data:')).toEqual([]);
    expect(policy).toMatch(/(^|;)style-src 'self' 'unsafe-inline'(;|$)/);
    expect(policy).toMatch(/(^|;)font-src 'self'(;|$)/);
  });
});

describe('pages of other origins', () => {
  test('from listed origins may read responses with credentials', async () => {
    const { headers } = await call('GET', '/api/v1/users', undefined, { Origin: LISTED });
    expect(headers.get('access-control-allow-origin')).toBe(LISTED);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')).toContain('Origin');
  });

  test.each([
    'https://elsewhere.example',
    `${LISTED}.elsewhere.example`,
    'http://app.clinic.example',
    'https://app.clinic.example:8443',
    'null',
  ])('from unlisted origins, %s, cannot read responses or send credentials', async (origin) => {
    const read = await call('GET', '/api/v1/users', undefined, { Origin: origin });
    const preflight = await call('OPTIONS', '/api/v1/users', undefined, {
      Origin: origin,
      'Access-Control-Request-Method': 'DELETE',
    });
    expect([read.status, preflight.status]).toEqual([200, 400]);
    expect([cors(read.headers), cors(preflight.headers)]).toEqual([[], []]);
    expect(read.headers.get('vary')).toContain('Origin');
  });
});
