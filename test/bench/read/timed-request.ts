import { Agent, request } from 'node:http';

/** Duration of one response. */
export interface TimedResponse {
  totalMs: number;
  firstByteMs: number;
  bytes: number;
}

/** Opens a persistent connection, as a client's server does. */
export function openConnection(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 1 });
}

/** Sends a GET and reads the whole response. @throws if the status is not 200 */
export function timedGet(agent: Agent, url: string, headers: Record<string, string>): Promise<TimedResponse> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const sending = request(url, { agent, headers });
    sending.once('error', reject);
    sending.once('response', (response) => {
      let firstByteMs: number | undefined;
      let bytes = 0;
      let fault = '';
      response.on('data', (chunk: Buffer) => {
        firstByteMs ??= performance.now() - startedMs;
        bytes += chunk.length;
        if (response.statusCode !== 200) fault += chunk.toString();
      });
      response.once('error', reject);
      response.once('end', () => {
        const totalMs = performance.now() - startedMs;
        if (response.statusCode !== 200) reject(new Error(`${url} was answered with ${response.statusCode}: ${fault}`));
        else resolve({ totalMs, firstByteMs: firstByteMs ?? totalMs, bytes });
      });
    });
    sending.end();
  });
}
