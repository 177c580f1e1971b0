import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { currentDeveloper, getSystemStatus } from '@healthd/contract';
import { MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { afterEach, expect, test } from 'vitest';
import { Cli } from '../cli.js';
import { Interrupt } from '../interrupt.js';
import { examine } from './examination.js';

let service: Server | undefined;
afterEach(() => {
  service?.closeAllConnections();
  service?.close();
});

/** Returns the state of the check `job lag` for a waiting job of a service with a different clock. */
async function jobLagAt(clockAheadMs: number, waitedMs: number): Promise<string | undefined> {
  const job = { name: 'pull', waiting: 1, scheduled: 0, running: 0, failing: 0 };
  service = createServer((request, response) => {
    const now = new Date(Date.now() + clockAheadMs);
    const oldest_waiting_since = new Date(now.getTime() - waitedMs).toISOString();
    const bodies: Record<string, unknown> = {
      '/health/live': {},
      '/health/ready': {},
      [currentDeveloper.path]: { email: 'ada@clinic.example' },
      [getSystemStatus.path]: {
        database_clock_ahead_seconds: 0,
        disks: [],
        job_store: { kind: 'postgres', is_up: true },
        jobs: [{ ...job, oldest_waiting_since }],
        sealed: [],
        feed: { is_on: false, has_other_setting: false, waiting: 0, oldest_waiting_since: null },
        repairs: [],
        unproven_deliveries: [],
      },
    };
    const body = bodies[request.url ?? ''];
    const headers = { 'Content-Type': 'application/json', Date: now.toUTCString() };
    response.writeHead(body === undefined ? 404 : 200, headers).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((done) => service?.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const cli = new Cli({ url }, new Interrupt(), { HEALTHCTL_TOKEN: 'a-login' });
  for await (const { check, state } of examine(cli)) if (check === 'job lag') return state;
}

test("measures job delays by the service's clock", async () => {
  expect(await jobLagAt(-MS_PER_HOUR, MS_PER_MINUTE)).toBe('ok');
  service?.close();
  expect(await jobLagAt(MS_PER_HOUR, 20 * MS_PER_MINUTE)).toBe('warning');
});
