import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pathOf } from '@healthd/client';
import { importAppleExport } from '@healthd/contract';
import type { ImportAccepted } from '@healthd/schemas';
import type { DaemonProcess } from '../daemon-process.js';

const BOUNDARY = 'healthd-bench-7d1f0c52';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="export.xml"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

/** Import options as query parameters of the route. */
export interface ImportQuery {
  mode?: 'merge' | 'replace';
  dry_run?: boolean;
}

/**
 * Uploads an export file as clients do: one multipart part, streamed. Resolves when the service has acknowledged it.
 */
export async function uploadExport(
  daemon: DaemonProcess,
  userId: string,
  file: { path: string; bytes: number },
  query: ImportQuery = {},
): Promise<ImportAccepted> {
  const sending = request(new URL(pathOf(importAppleExport, { user_id: userId }, { ...query }), daemon.url), {
    method: 'POST',
    headers: {
      ...daemon.headers,
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': HEAD.length + file.bytes + TAIL.length,
    },
  });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  await pipeline(body(file.path), sending);
  const [response] = await answered;
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`the upload was answered with ${response.statusCode}: ${answer}`);
  return JSON.parse(answer) as ImportAccepted;
}

async function* body(path: string): AsyncGenerator<Buffer | string> {
  yield HEAD;
  yield* createReadStream(path, { highWaterMark: 256 * 1024 });
  yield TAIL;
}
