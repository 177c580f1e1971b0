import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Cli } from '../cli.js';
import { Interrupt } from '../interrupt.js';
import { watchUser } from './sync.js';

const USER = '11111111-2222-4333-8444-555555555555';
const RUN = { run_id: 'pull_1', provider: 'google' };
const ENDED = { ...RUN, event_id: 'e1', status: 'success' };

let service: Server | undefined;
afterEach(() => {
  service?.closeAllConnections();
  service?.close();
});

test('ends sync watch when a run ends during the listing', async () => {
  let stream: ServerResponse | undefined;
  let answerList: (() => void) | undefined;
  service = createServer((request, response) => {
    if (request.url?.includes('/sync/stream')) {
      stream = response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      stream.write(': connected\n\n');
      return;
    }
    stream?.write(`id: 1\nevent: sync.status\ndata: ${JSON.stringify(ENDED)}\n\n`);
    answerList = () =>
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify([{ ...RUN, status: 'in_progress' }]));
  });
  await new Promise<void>((done) => service?.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const cli = new Cli({ url, output: 'ndjson' }, new Interrupt(), { HEALTHCTL_TOKEN: 'sk-0123' });
  const written: Record<string, unknown>[] = [];
  cli.sink.write = async (text) => {
    written.push(JSON.parse(text));
    // Sends the outdated list only after the end of the run has arrived.
    answerList?.();
    answerList = undefined;
  };
  await watchUser(cli, { user: USER });
  expect(written).toEqual([
    { ...ENDED, event: 'progress' },
    { event: 'result', user_id: USER, runs: [{ ...RUN, status: 'success' }] },
  ]);
});
