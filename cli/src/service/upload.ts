import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorOf, UnreachableError } from '@healthd/client';
import { CliError } from '../failure.js';

/** Idle time after which the upload fails. */
const IDLE_MS = 120_000;
const CHUNK_BYTES = 256 * 1024;
/**
 * Delay before sending a large body. A server that rejects the headers (credential, user, size) closes the connection.
 * Bytes that arrive after that make the operating system discard the server's response.
 */
const REJECTION_WITHIN_MS = 100;
const LARGE_BYTES = 32 * 1024;
/**
 * Wait for a response after the connection broke, because the response to a rejected upload may arrive just after that.
 */
const LATE_RESPONSE_MS = 1_000;

export interface UploadOptions {
  baseUrl: string;
  path: string;
  part: string;
  file: string;
  fileBytes: number;
  headers: Record<string, string>;
  signal: AbortSignal;
  onSent(bytes: number): void;
}

export interface UploadResponse {
  body: unknown;
  status: number;
  requestId: string | undefined;
}

/**
 * Streams one file from disk as multipart. An early response, such as a rejection, stops the upload.
 * @throws ApiError, UnreachableError, CliError `file_changed`
 */
export async function uploadFile(options: UploadOptions): Promise<UploadResponse> {
  const frame = multipartFrame(options.part, basename(options.file));
  const request = open(options, frame);
  const response = responseTo(request);
  const outcome = response.then(
    () => undefined,
    () => undefined,
  );
  try {
    await sendBody(request, frame, options, outcome);
  } catch (error) {
    if (options.signal.aborted || error instanceof CliError) {
      request.destroy();
      throw error;
    }
    await Promise.race([outcome, sleep(LATE_RESPONSE_MS)]);
  }
  try {
    return await readResponse(await response);
  } catch (error) {
    if (options.signal.aborted || (error instanceof Error && error.name === 'ApiError')) throw error;
    throw new UnreachableError(options.baseUrl, error);
  } finally {
    request.destroy();
  }
}

interface Frame {
  boundary: string;
  head: Buffer;
  tail: Buffer;
}

function multipartFrame(part: string, fileName: string): Frame {
  const boundary = `healthctl-${randomBytes(16).toString('hex')}`;
  const safeName = fileName.replaceAll('"', '%22').replaceAll(/[\r\n]/g, '_');
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${part}"; filename="${safeName}"`,
    'Content-Type: application/octet-stream',
    '',
    '',
  ];
  return { boundary, head: Buffer.from(head.join('\r\n')), tail: Buffer.from(`\r\n--${boundary}--\r\n`) };
}

function open(options: UploadOptions, frame: Frame): ClientRequest {
  const url = new URL(options.path, options.baseUrl);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send(url, {
    method: 'POST',
    signal: options.signal,
    agent: false,
    headers: {
      ...options.headers,
      Accept: 'application/json',
      'Content-Type': `multipart/form-data; boundary=${frame.boundary}`,
      'Content-Length': frame.head.length + options.fileBytes + frame.tail.length,
    },
  });
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('no response')));
  request.on('error', () => undefined); // The promise of the response reports the error.
  return request;
}

async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function sendBody(
  request: ClientRequest,
  frame: Frame,
  options: UploadOptions,
  outcome: Promise<undefined>,
): Promise<void> {
  let hasResponse = false;
  void outcome.then(() => {
    hasResponse = true;
  });
  request.write(frame.head);
  if (options.fileBytes > LARGE_BYTES) await Promise.race([outcome, sleep(REJECTION_WITHIN_MS)]);
  let sent = 0;
  const chunks = createReadStream(options.file, { highWaterMark: CHUNK_BYTES, end: options.fileBytes - 1 });
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    if (hasResponse) return;
    if (!request.write(chunk)) await Promise.race([once(request, 'drain'), outcome]);
    sent += chunk.length;
    options.onSent(sent);
  }
  if (sent < options.fileBytes) {
    throw new CliError('file_changed', 'The file shrank during the upload.');
  }
  if (!hasResponse) request.end(frame.tail);
}

async function readResponse(message: IncomingMessage): Promise<UploadResponse> {
  const status = message.statusCode ?? 0;
  const text = await bodyText(message);
  const requestId = headerOf(message, 'x-request-id');
  if (status >= 200 && status < 300) return { body: JSON.parse(text) as unknown, status, requestId };
  const headers = ['x-request-id', 'retry-after'].flatMap((name): [string, string][] => {
    const value = headerOf(message, name);
    return value === undefined ? [] : [[name, value]];
  });
  throw await errorOf(new Response(text, { status, headers }));
}

async function bodyText(message: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of message.setEncoding('utf8')) text += String(chunk);
  } catch {
    // A rejecting service may close the connection early. Returns the text that arrived.
  }
  return text;
}

function headerOf(message: IncomingMessage, name: string): string | undefined {
  const value = message.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
