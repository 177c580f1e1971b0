// The service's program for decision threads, with faults. A sample of 113.5 makes it loop, and a sample of 114.5
// exhausts its memory.
import { parentPort } from 'node:worker_threads';

const on = parentPort.on.bind(parentPort);
parentPort.on = (event, handle) =>
  on(event, (request) => {
    const values = request.input?.items[0]?.rows?.value ?? [];
    if (values.includes(113.5)) for (;;);
    const kept = [];
    while (values.includes(114.5)) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
    handle(request);
  });

await import('../../daemon/dist/store/write/decide-thread-program.js');
