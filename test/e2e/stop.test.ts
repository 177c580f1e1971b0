import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { writeExport } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { type Daemon, newHome, postgresPid, startDaemon } from '../support/daemon.js';
import { ended, newUser, runNow, upload } from './imports.js';

it('stops within ten seconds during a job, upload, request and stream', async () => {
  const home = newHome();
  const path = join(home.folder, 'export.zip');
  await writeExport(path, { days: 60, endDate: '2026-04-20', density: 'dense' });
  let daemon = await startDaemon({ home });
  const user = await newUser(daemon);
  const { run_id: runId } = await upload(daemon, user, path);
  await expect.poll(async () => (await runNow(daemon, runId)).stage).not.toBe('queued');
  const openRequests = [
    begin(daemon, 'GET', `/api/v1/users/${user}/sync/stream`),
    begin(daemon, 'POST', `/api/v1/users/${user}/import/apple/xml/direct`, 'multipart/form-data; boundary=part'),
    begin(daemon, 'POST', `/api/v1/sdk/users/${user}/sync`, 'application/json'),
    begin(daemon, 'POST', '/api/v1/users', 'application/json'),
  ];
  await once(openRequests[0] as ClientRequest, 'response');
  const sending = openRequests.slice(1).map((sent) => setInterval(() => sent.write(' '), 50));

  // A stop that exceeds its deadline exits with 1, before the ten seconds that a container waits.
  expect(await daemon.stop()).toEqual({ code: 0, signal: null });
  for (const timer of sending) clearInterval(timer);
  expect(postgresPid(home), 'the database').toBeUndefined();

  daemon = await startDaemon({ home });
  expect((await ended(daemon, runId)).status, 'the interrupted job').toBe('success');
  await daemon.stop();
});

/** Starts a request whose body never ends. */
function begin(daemon: Daemon, method: string, path: string, type?: string): ClientRequest {
  const headers = { 'X-Service-API-Key': daemon.apiKey, ...(type && { 'Content-Type': type }) };
  const sent = request(`${daemon.url}${path}`, { method, headers });
  // Ignores errors, because the service closes the connection before the body ends.
  sent.on('error', () => undefined);
  sent.on('response', (response) => response.resume().on('error', () => undefined));
  if (type === undefined) sent.end();
  else sent.write(type.startsWith('multipart') ? PART : '{"provider":"apple"');
  return sent;
}

const PART = '--part\r\nContent-Disposition: form-data; name="file"; filename="export.xml"\r\n\r\n<HealthData>';
