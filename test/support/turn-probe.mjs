// Preloaded into the service. Writes the processor time of each long turn of the event loop, in milliseconds, to a
// file.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LONG_MS = 50;
const file = process.env.TURN_PROBE_FILE;

if (isMainThread && file) {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  const readMs = () => Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6;
  let before = readMs();
  // Two calls are separated by the interval and one turn at most. Waiting for a busy machine costs no processor time.
  setInterval(() => {
    const now = readMs();
    if (now - before > LONG_MS) appendFileSync(file, `${Math.round(now - before)}\n`);
    before = now;
  }, 5).unref();
}
