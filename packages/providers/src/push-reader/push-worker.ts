import { isAscii } from 'node:buffer';
import { serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import type { RecordBatch } from '@healthd/model';
import { transferables } from '../batch-memory.js';
import { type PushReading, readPush } from '../device-push/index.js';
import { PUSH_ADAPTERS } from '../push-registry.js';
import type { BodyFault, PushRequest, PushResponse } from './push-messages.js';

/** Decompresses, parses and reads one pushed body. */
function readPushedBody(request: Omit<PushRequest, 'id'>): PushReading | BodyFault {
  const adapter = PUSH_ADAPTERS.find(({ provider }) => provider === request.provider);
  if (adapter === undefined) throw new TypeError('the provider cannot be pushed');
  let bytes: Uint8Array = request.body;
  if (request.encoding === 'gzip') {
    try {
      bytes = gunzipSync(bytes, { maxOutputLength: request.maxBytes });
    } catch {
      return { fault: { field: '', code: 'damaged' } };
    }
  }
  let payload: unknown;
  try {
    payload = JSON.parse(textOf(bytes));
  } catch {
    return { fault: { field: '', code: 'json_invalid' } };
  }
  return readPush(payload, adapter, PUSH_ADAPTERS, request.receivedAtMs);
}

/** Most bodies are plain ASCII, which needs no decoding. */
function textOf(bytes: Uint8Array): string {
  if (!isAscii(bytes)) return new TextDecoder().decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Number of records that the receiver processes in one turn of its event loop. */
const RECORDS_AT_ONCE = 2_000;

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread only.');

port.on('message', ({ id, ...request }: PushRequest) => {
  let response: PushResponse;
  try {
    response = { id, reading: readPushedBody(request) };
  } catch (error) {
    // An error's message could quote the body.
    response = { id, error: error instanceof Error ? error.name : 'unknown' };
  }
  if (response.reading === undefined || !('batch' in response.reading)) {
    port.postMessage(response);
    return;
  }
  const { batch } = response.reading;
  const buffers = transferables(batch);
  response.portions = takeChunks(batch.records);
  for (const { buffer } of response.portions) buffers.push(buffer as ArrayBuffer);
  port.postMessage(response, buffers);
});

/** Removes all chunks after the first from a long list, and returns the removed chunks in serialized form. */
function takeChunks(records: RecordBatch['records']): Uint8Array[] {
  const batches: Uint8Array[] = [];
  for (let from = RECORDS_AT_ONCE; from < records.length; from += RECORDS_AT_ONCE) {
    // Copies the chunk, because the serializer may return a view of a larger buffer.
    batches.push(Uint8Array.from(serialize(records.slice(from, from + RECORDS_AT_ONCE))));
  }
  records.length = Math.min(records.length, RECORDS_AT_ONCE);
  return batches;
}
