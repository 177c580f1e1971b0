import { ended } from '../e2e/imports.js';
import type { Daemon } from '../support/daemon.js';

/** Pushes a batch as a phone does and waits until it is stored. */
export async function push(daemon: Daemon, userId: string, batch: object): Promise<void> {
  const response = await fetch(`${daemon.url}/api/v1/sdk/users/${userId}/sync`, {
    method: 'POST',
    headers: { 'X-Service-API-Key': daemon.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(batch),
  });
  if (response.status !== 202)
    throw new Error(`the push was answered with ${response.status}: ${await response.text()}`);
  const { batch_id: runId } = (await response.json()) as { batch_id: string };
  const { status } = await ended(daemon, runId);
  if (status !== 'success') throw new Error(`the batch ended with ${status}`);
}
