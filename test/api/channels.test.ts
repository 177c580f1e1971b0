import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller } from '../support/service.js';
import { startWholeService } from '../support/whole-service.js';
import { eventually } from './import-fixture.js';
import { heartRates, payload } from './push-payloads.js';

let service: Awaited<ReturnType<typeof startWholeService>>;
beforeAll(async () => {
  service = await startWholeService({}, 'all');
});
afterAll(() => service.stop());

const STAGES = ['"stage":"queued"', '"stage":"started"', '"stage":"completed"'];
const LISTENING = `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`;

test('restores the only LISTEN connection for jobs and events', async () => {
  const call = caller(service, { [service.apiKeyHeader]: service.apiKey });
  const user = await call('POST', '/api/v1/users', { external_user_id: 'channels' });
  const controller = new AbortController();
  const stream = await fetch(`${service.url}/api/v1/users/${user.body.id}/sync/stream`, {
    headers: { [service.apiKeyHeader]: service.apiKey },
    signal: controller.signal,
  });
  let text = '';
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  await eventually(() => expect(text).toContain(': connected'));
  const { rows } = await service.pool.query<{ pid: number }>(LISTENING);
  expect(rows).toHaveLength(1);
  await service.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  const batch = payload('apple', { records: heartRates(1) });
  expect((await call('POST', `/api/v1/sdk/users/${user.body.id}/sync`, batch)).status).toBe(202);
  await eventually(() => expect(text.match(/"stage":"\w+"/g)).toEqual(STAGES));
  expect((await service.pool.query(LISTENING)).rowCount).toBe(1);
  controller.abort();
  await read;
});
