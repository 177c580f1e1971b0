import { type ApiError, HealthdClient } from '@healthd/client';
import { createUser, type DeclaredRoute, getUser } from '@healthd/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWholeService, type WholeService } from '../support/whole-service.js';

describe.each([
  ['standard', 422],
  ['compat', 400],
])('client errors from responses in format %s', (format, invalid) => {
  let service: WholeService;
  let client: HealthdClient;
  beforeAll(async () => {
    service = await startWholeService({ ERROR_FORMAT: format });
    const authorize = async () => ({ 'X-Service-API-Key': service.apiKey });
    client = new HealthdClient({ baseUrl: service.url, authorize });
  });
  afterAll(() => service?.stop());

  const errorOf = (route: DeclaredRoute, input: object): Promise<ApiError> =>
    client.call(route, input as never).then(
      () => expect.fail('it was not refused'),
      (error: ApiError) => error,
    );

  test('returns a message and the location of each rejected field', async () => {
    const error = await errorOf(createUser, { body: { email: 'anna', first_name: 5 } });
    expect(error).toMatchObject({ name: 'ApiError', status: invalid, requestId: expect.stringMatching(/^[\w-]{36}$/) });
    expect(error.problems.map(({ loc }) => loc.join('.')).sort()).toEqual(['body.email', 'body.first_name']);
    expect(error.message).not.toBe('');
  });

  test('returns a message without field errors for a one-sentence error', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    expect(await errorOf(getUser, { params: { user_id: id } })).toMatchObject({
      status: 404,
      message: `User with ID: ${id} not found.`,
      problems: [],
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
  });
});
