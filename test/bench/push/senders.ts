import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DaemonProcess } from '../daemon-process.js';

/** Response of the service to one batch. */
export interface SentBatch {
  answerMs: number;
  batchId: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

/** Sends one body and times the response, from the first byte sent to the last byte received. */
function sendBatch(daemon: DaemonProcess, userId: string, body: Buffer): Promise<SentBatch> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const sending = request(`${daemon.url}/api/v1/sdk/users/${userId}/sync`, {
      agent,
      method: 'POST',
      headers: { ...daemon.headers, 'Content-Type': 'application/json', 'Content-Length': body.length },
    });
    sending.once('error', reject);
    sending.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => {
        if (response.statusCode !== 202) reject(new Error(`answered with ${response.statusCode}: ${text}`));
        else
          resolve({
            answerMs: performance.now() - startedMs,
            batchId: (JSON.parse(text) as { batch_id: string }).batch_id,
          });
      });
    });
    sending.end(body);
  });
}

/** Sends batches without a pause: every sender sends its next batch as soon as the previous batch is acknowledged. */
export async function sendWithoutPause(
  daemon: DaemonProcess,
  users: readonly string[],
  bodies: readonly Buffer[],
): Promise<SentBatch[]> {
  const sent = await Promise.all(
    users.map(async (user) => {
      const own: SentBatch[] = [];
      for (const body of bodies) own.push(await sendBatch(daemon, user, body));
      return own;
    }),
  );
  return sent.flat();
}

/** Sends batches alternately from each sender at a fixed rate, even if the service is slower. */
export async function sendAtRate(
  daemon: DaemonProcess,
  users: readonly string[],
  bodies: readonly Buffer[],
  batchesPerSecond: number,
): Promise<SentBatch[]> {
  const startedMs = performance.now();
  const sending: Promise<SentBatch>[] = [];
  for (const body of bodies) {
    for (const user of users) {
      const due = startedMs + (sending.length / batchesPerSecond) * 1000;
      await sleep(Math.max(0, due - performance.now()));
      sending.push(sendBatch(daemon, user, body));
    }
  }
  return Promise.all(sending);
}
