import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HealthdClient } from '@healthd/client';
import type { SyncRun } from '@healthd/schemas';
import { afterEach, expect, test } from 'vitest';
import { watchRun } from './run-watch.js';

const RUN = 'pull_11111111-2222-4333-8444-555555555555';

let proxy: Server | undefined;
afterEach(() => {
  proxy?.closeAllConnections();
  proxy?.close();
});

type Answer = (response: ServerResponse) => void;

const state =
  (status: string, facts: Partial<SyncRun> = {}): Answer =>
  (response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ run_id: RUN, status, ...facts }));

const refusal =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>Away</html>');

/** Closes the connection in the middle of the response. */
const cutOff: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 });
  response.write('{"run_id"', () => response.destroy());
};

/** Watches a run through a proxy that sends these responses in order and repeats the last one. Returns the result. */
async function watched(answers: readonly Answer[], awayAtMostMs?: number) {
  let count = 0;
  proxy = createServer((_, response) => {
    answers[Math.min(count, answers.length - 1)]?.(response);
    count += 1;
  });
  await new Promise<void>((done) => proxy?.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const client = new HealthdClient({ baseUrl, authorize: async () => ({}) });
  const seen: string[] = [];
  const run = await watchRun(client, RUN, {
    signal: new AbortController().signal,
    ...(awayAtMostMs !== undefined && { awayAtMostMs }),
    onChange: ({ status }) => void seen.push(status),
  });
  return { seen, status: run.status };
}

test('keeps watching a run when the service restarts', async () => {
  const answers = [state('in_progress'), refusal(503), cutOff, state('success')];
  expect(await watched(answers)).toEqual({ seen: ['in_progress', 'success'], status: 'success' });
});

test.each<[string, Partial<SyncRun>]>([
  ['its progress', { progress: 0.5 }],
  ['the number of its items', { items_processed: 7 }],
  ['its message', { message: 'Reading from the vendor.' }],
  ['its stage', { stage: 'started' }],
  [
    'its next attempt',
    { retrying: { reason: 'rate_limited', attempt: 2, max_attempts: 5, next_try_at: '2026-03-10T12:00:00Z' } },
  ],
])('reports a run once more if only %s changes', async (_, facts) => {
  const answers = [state('in_progress'), state('in_progress', facts), state('in_progress', facts), state('success')];
  expect((await watched(answers)).seen).toEqual(['in_progress', 'in_progress', 'success']);
});

test('times out with the command that resumes watching', async () => {
  await expect(watched([state('in_progress'), refusal(502)], 600)).rejects.toMatchObject({
    code: 'unreachable',
    exitCode: 5,
    hint: `Keep watching: healthctl runs watch ${RUN}`,
  });
});

test('fails immediately for an unknown run', async () => {
  await expect(watched([refusal(404)])).rejects.toMatchObject({ status: 404 });
});
