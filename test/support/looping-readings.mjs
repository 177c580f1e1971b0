// Program of the push reader, with faults: a body that contains "looping" makes it loop, and "deadly" ends it as if it
// had no memory left.
import { parentPort } from 'node:worker_threads';

const on = parentPort.on.bind(parentPort);
parentPort.on = (event, handle) =>
  on(event, (request) => {
    const body = Buffer.from(request.body);
    if (body.includes('looping')) for (;;);
    if (body.includes('deadly')) process.exit(1);
    handle(request);
  });

await import('../../packages/providers/dist/push-reader/push-worker.js');
