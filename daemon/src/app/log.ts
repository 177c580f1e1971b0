import { join } from 'node:path';
import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { loggedError } from '../platform/logged-error.js';
import { createLogFile } from './log-file.js';
import type { Settings } from './settings/settings.js';

/** Level number in pino. */
const WARN = 40;

/** Settings of the log. */
export type LogSettings = Pick<Settings, 'logLevel' | 'logRequests' | 'dataDir'>;

/**
 * Creates the log on standard error, because standard output is for the user who started the service. On a terminal,
 * prints one readable line per event and, by default, omits successful requests, so that the startup output stays
 * visible. {@link logFilePath} then gets the complete log. Otherwise prints JSON.
 */
export function createLog(settings: LogSettings): Logger {
  const onTerminal = Boolean(process.stderr.isTTY);
  const shown = onTerminal ? readable() : pino.destination({ dest: 2, sync: false });
  const stream = (settings.logRequests ?? !onTerminal) ? shown : withoutRequests(shown);
  return pino(
    { level: settings.logLevel, serializers: { err: loggedError } },
    onTerminal ? writeToBoth(stream, createLogFile(logFilePath(settings))) : stream,
  );
}

/** Returns the path of the complete log, which a service on a terminal writes. */
export function logFilePath({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'healthd.log');
}

function readable() {
  return pretty({
    destination: 2,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,req,res,responseTime',
    singleLine: true,
  });
}

function writeToBoth(first: DestinationStream, second: DestinationStream): DestinationStream {
  return {
    write(line) {
      first.write(line);
      second.write(line);
    },
  };
}

function withoutRequests(stream: DestinationStream): DestinationStream {
  return { write: (line) => void (isQuietRequest(line) || stream.write(line)) };
}

/** True for the line of a request without a server error. Lines of server errors are always shown. */
function isQuietRequest(line: string): boolean {
  const { level, responseTime } = JSON.parse(line) as { level: number; responseTime?: number };
  return responseTime !== undefined && level < WARN;
}
