import { serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { RecordBatch } from '@healthd/model';
import { transferables } from '../batch-memory.js';
import type { PushRequest, PushResponse } from './push-messages.js';
import { readPushedBody } from './read-body.js';

/** Records that the receiver takes in one turn of its event loop. */
const RECORDS_AT_ONCE = 2_000;

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread only.');

port.on('message', ({ id, ...request }: PushRequest) => {
  let response: PushResponse;
  try {
    response = { id, reading: readPushedBody(request) };
  } catch (error) {
    // The text of an error could quote the body.
    response = { id, error: error instanceof Error ? error.name : 'unknown' };
  }
  if (response.reading === undefined || !('batch' in response.reading)) {
    port.postMessage(response);
    return;
  }
  const { batch } = response.reading;
  const buffers = transferables(batch);
  response.portions = takePortions(batch.records);
  for (const { buffer } of response.portions) buffers.push(buffer as ArrayBuffer);
  port.postMessage(response, buffers);
});

/** Removes all but the first portion from a long list, and serializes the others. */
function takePortions(records: RecordBatch['records']): Uint8Array[] {
  const portions: Uint8Array[] = [];
  for (let from = RECORDS_AT_ONCE; from < records.length; from += RECORDS_AT_ONCE) {
    // A copy: what the serializer gives out may be a window into a larger piece of memory.
    portions.push(Uint8Array.from(serialize(records.slice(from, from + RECORDS_AT_ONCE))));
  }
  records.length = Math.min(records.length, RECORDS_AT_ONCE);
  return portions;
}
