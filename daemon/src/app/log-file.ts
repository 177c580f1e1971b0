import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** A file of this size is renamed to `….1`, replacing the previous one. */
const MAX_BYTES = 10_000_000;

/**
 * Creates a log file that only its owner may read. Together with its predecessor it uses at most twice {@link
 * MAX_BYTES}. Opens the file when the first line is written and the folder exists. Drops lines while the file is not
 * writable: the terminal shows the same events, and a full disk must not stop the service.
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
