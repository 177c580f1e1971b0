import { createUser, listUserSyncRuns } from '@healthd/contract';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { heartRates, payload } from '../api/push-payloads.js';
import { startDaemon } from '../support/daemon.js';
import { rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { push } from './push.js';

const STREAM = '**/api/v1/sync/stream?*';
const BATCH = payload('apple', { records: heartRates(3) });

describe('runs in the console', () => {
  const tests = consoleTests(() => startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } }));
  const newUser = async () => (await tests.daemon.client.call(createUser, { body: {} })).id;
  /** Sends a batch and returns its run's ID. */
  async function runOf(user: string): Promise<string> {
    await push(tests.daemon, user, BATCH);
    const runs = await tests.daemon.client.call(listUserSyncRuns, { params: { user_id: user }, query: {} });
    return runs[0]?.run_id ?? '';
  }
  /** Counts the page's requests for runs, except the stream. */
  function countRequests(page: Page): () => number {
    let count = 0;
    page.on('request', (request) => {
      if (/\/sync\/runs(\?|\/|$)/.test(request.url())) count += 1;
    });
    return () => count;
  }

  it('shows a new run live without polling', async () => {
    const user = await newUser();
    await runOf(user);
    const page = await tests.open('/');
    const opened = page.waitForResponse(STREAM);
    await page.goto(`${tests.daemon.url}/runs`);
    expect((await opened).status()).toBe(200);
    await rowsOf(page, 'Runs');
    // Waits longer than the poll interval of a list without a stream.
    const requests = countRequests(page);
    await new Promise((done) => setTimeout(done, 12_000));
    expect(requests()).toBe(0);
    const startedMs = Date.now();
    const runId = await runOf(user);
    await page.getByRole('link', { name: new RegExp(runId.slice(0, 8)) }).waitFor();
    expect(Date.now() - startedMs).toBeLessThan(9_000);
    expect(requests()).toBeGreaterThan(0);
  });

  it('ends the stream when the user leaves the run pages', async () => {
    const page = await tests.open('/users');
    const ended = new Promise<void>((done) => {
      page.on('requestfailed', (request) => request.url().includes('/sync/stream') && done());
    });
    const opened = page.waitForResponse(STREAM);
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await opened;
    await page.getByRole('link', { name: 'Coverage', exact: true }).click();
    await ended;
  });

  it('polls the run list if the stream fails', async () => {
    const user = await newUser();
    const page = await tests.open('/users');
    await page.route(STREAM, (route) => route.abort());
    await page.goto(`${tests.daemon.url}/users/${user}/runs`);
    await page.getByText('No runs yet. Connect a provider or import a file.').waitFor();
    const runId = await runOf(user);
    await page.getByRole('link', { name: new RegExp(runId.slice(0, 8)) }).waitFor();
  });
});
