// Loaded into every thread of the measured service (NODE_OPTIONS). A sample of 113.5 makes a batch's worker thread loop
// forever.
import { isMainThread, parentPort } from 'node:worker_threads';

if (!isMainThread && process.argv[1]?.includes('decide-thread')) {
  const on = parentPort.on.bind(parentPort);
  parentPort.on = (event, handle) =>
    on(event, (request) => {
      if (
        JSON.stringify(request.input, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)).includes('113.5')
      )
        for (;;);
      handle(request);
    });
}
