import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../response.js';
import type { Call, Role } from './call.js';

const BODY_LIMIT = 64 * 1024 * 1024;

/**
 * Listens on a loopback port. Cuts the connection of a request whose handling fails. @param port 0 selects a free port
 */
export async function listenOnLoopback(
  port: number | undefined,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 5000;
  server.listen(port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Reads a request with its body. @param roleOf returns the part of the service for a path. @throws if the body is too
 * large
 */
export async function readCall(request: IncomingMessage, roleOf: (path: string) => Role): Promise<Call> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw new Error('body too large');
    chunks.push(chunk);
  }
  const isControl = url.pathname === '/control' || url.pathname.startsWith('/control/');
  return {
    method: request.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
    role: isControl ? 'control' : roleOf(url.pathname),
  };
}

export function send(response: ServerResponse, { status, headers, body, bytes }: Answer): void {
  const content = bytes ?? Buffer.from(body);
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': content.byteLength });
  response.end(status === 204 ? undefined : content);
}

/** Sends half of the body immediately and the rest after a delay. */
export async function sendSlowly(response: ServerResponse, result: Answer, delayMs: number): Promise<void> {
  const bytes = Buffer.from(result.bytes ?? result.body);
  response.writeHead(result.status, { ...result.headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1));
  await sleep(delayMs);
  response.end(bytes.subarray(bytes.length >> 1));
}

/** Returns half of the body with a matching length: valid HTTP, but broken JSON or a part of a file. */
export function truncated(response: Answer): Answer {
  const { body, bytes } = response;
  return {
    ...response,
    body: body.slice(0, body.length >> 1),
    ...(bytes && { bytes: bytes.subarray(0, bytes.length >> 1) }),
  };
}

/** True if a browser's redirect URL is on this machine. */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(address);
}
