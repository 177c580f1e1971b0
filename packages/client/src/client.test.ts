import { getTimeseries, listSyncRuns } from '@healthd/contract';
import { expect, test } from 'vitest';
import { HealthdClient, pathOf } from './client.js';

test('a query takes numbers, booleans and lists, and leaves out what is undefined', () => {
  const query = { limit: 5, retrying: true, status: undefined };
  expect(pathOf(listSyncRuns, undefined, query)).toBe('/api/v1/sync/runs?limit=5&retrying=true');
  const path = pathOf(getTimeseries, { user_id: 'a/b' }, { types: ['steps', 'energy'] });
  expect(path).toBe('/api/v1/users/a%2Fb/timeseries?types=steps&types=energy');
});

test('the types of a call take a number or a boolean only where the service reads one', () => {
  const client = new HealthdClient({ baseUrl: 'http://localhost', authorize: async () => ({}) });
  const calls = [
    () => client.call(listSyncRuns, { query: { limit: 5, retrying: true } }),
    () => client.call(listSyncRuns, { query: { limit: '5', retrying: 'true' } }),
    // @ts-expect-error a user is named by an id
    () => client.call(listSyncRuns, { query: { user_id: 5 } }),
    // @ts-expect-error a limit is no switch
    () => client.call(listSyncRuns, { query: { limit: true } }),
    // @ts-expect-error no such parameter
    () => client.call(listSyncRuns, { query: { limits: 5 } }),
  ];
  expect(calls).toHaveLength(5);
});
