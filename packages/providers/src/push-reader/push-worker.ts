import { parentPort } from 'node:worker_threads';
import { transferables } from '../batch-memory.js';
import type { PushRequest, PushResponse } from './push-messages.js';
import { readPushedBody } from './read-body.js';

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
  const batch = response.reading !== undefined && 'batch' in response.reading ? response.reading.batch : undefined;
  port.postMessage(response, batch ? transferables(batch) : []);
});
