// The service's program for reading pushes, with faults. A body with "looping" makes it loop, and a body with "deadly"
// ends it as if memory were exhausted. The loop sleeps, because tests need the processor.
import { parentPort } from 'node:worker_threads';

const on = parentPort.on.bind(parentPort);
parentPort.on = (event, handle) =>
  on(event, (request) => {
    const body = Buffer.from(request.body);
    if (body.includes('looping')) for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    if (body.includes('deadly')) process.exit(1);
    handle(request);
  });

await import('../../packages/providers/dist/push-reader/push-worker.js');
