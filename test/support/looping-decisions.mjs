// The service's program for decision threads, with faults. A sample of 113.5 makes it loop, and a sample of 114.5
// exhausts its memory. The loop tells the channel `looping` that it has begun. It sleeps, because tests need the processor.
import { parentPort } from 'node:worker_threads';

const on = parentPort.on.bind(parentPort);
parentPort.on = (event, handle) =>
  on(event, (request) => {
    const values = request.input?.items[0]?.rows?.value ?? [];
    if (values.includes(113.5)) {
      new BroadcastChannel('looping').postMessage('begun');
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
    const kept = [];
    while (values.includes(114.5)) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
    handle(request);
  });

await import('../../daemon/dist/store/write/decide-thread-program.js');
