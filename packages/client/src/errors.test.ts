import { expect, test } from 'vitest';
import { errorOf, UnreachableError } from './errors.js';

const ROW = { loc: ['body', 'email'], msg: 'value is not a valid email address', type: 'value_error' };

const read = (body: unknown, status = 400, headers: Record<string, string> = {}) =>
  errorOf(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));

test("shows a proxy problem's detail as message and instance as log ID", async () => {
  const body = {
    type: 'about:blank',
    title: 'Bad Gateway',
    status: 502,
    detail: 'No healthy upstream',
    instance: 'req-9',
  };
  const error = await read(body, 502, { 'content-type': 'application/problem+json', 'retry-after': '7' });
  expect(error).toMatchObject({
    name: 'ApiError',
    status: 502,
    message: 'No healthy upstream',
    problems: [],
    requestId: 'req-9',
    retryAfterSeconds: 7,
  });
  expect(await read({ ...body, detail: undefined })).toMatchObject({ message: 'Bad Gateway' });
});

test("shows an error's validation rows, or its status without valid rows", async () => {
  expect(await read({ detail: [ROW, null, { msg: 5 }] }, 422)).toMatchObject({
    message: 'email: value is not a valid email address',
    problems: [ROW],
  });
  for (const body of ['<html>', '', 'null', '[]', '"text"', { detail: 7 }, { detail: [] }])
    expect(await read(body, 503)).toMatchObject({
      status: 503,
      message: 'The service returned status 503',
      problems: [],
    });
});

test('prefers the request id in the header', async () => {
  const body = { detail: 'Internal Server Error', request_id: 'inside' };
  expect(await read(body, 500)).toMatchObject({ requestId: 'inside' });
  expect(await read(body, 500, { 'x-request-id': 'header' })).toMatchObject({ requestId: 'header' });
});

test('distinguishes a slow service from an unreachable service', () => {
  const late = new UnreachableError('http://localhost:1', new DOMException('no answer', 'TimeoutError'));
  expect(late).toMatchObject({ isLate: true });
  expect(new UnreachableError('http://localhost:1', new TypeError('fetch failed'))).toMatchObject({ isLate: false });
});
