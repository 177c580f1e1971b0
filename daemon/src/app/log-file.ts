import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** A file of this size is renamed to `….1`, which replaces the one before it. */
const MAX_BYTES = 10_000_000;

/**
 * A log file that only its owner may read, at most two times {@link MAX_BYTES} with the one before it. It is opened with
 * the first line, when the folder is there; where it cannot be written its lines are dropped, because the same events are
 * shown on the terminal and a full disk must not stop the service.
 */
export function createLogFile(path: string, maxBytes = MAX_BYTES): DestinationStream {
  let file: { descriptor: number; bytes: number } | undefined;
  return {
    write(line) {
      try {
        file ??= open(path);
        if (file.bytes > 0 && file.bytes + Buffer.byteLength(line) > maxBytes) {
          closeSync(file.descriptor);
          renameSync(path, `${path}.1`);
          file = open(path);
        }
        file.bytes += writeSync(file.descriptor, line);
      } catch {
        file = undefined;
      }
    },
  };
}

function open(path: string): { descriptor: number; bytes: number } {
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, bytes: statSync(path).size };
}
