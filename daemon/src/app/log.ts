import { join } from 'node:path';
import pino, { type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { loggedError } from '../platform/logged-error.js';
import { createLogFile } from './log-file.js';
import type { Settings } from './settings/settings.js';

/** As pino numbers it. */
const WARN = 40;

/** What a log is made of. */
export type LogSettings = Pick<Settings, 'logLevel' | 'logRequests' | 'dataDir'>;

/**
 * The log, on standard error: standard output is for the person who started the service. A terminal gets one readable
 * line for each event but not for each request, so that what the start has said stays in sight, and the whole log goes to
 * {@link logFilePath}; anything else gets JSON.
 */
export function createLog(settings: LogSettings): Logger {
  const onTerminal = Boolean(process.stderr.isTTY);
  const shown = onTerminal ? readable() : pino.destination({ dest: 2, sync: false });
  const stream = (settings.logRequests ?? !onTerminal) ? shown : withoutRequests(shown);
  return pino(
    { level: settings.logLevel, serializers: { err: loggedError } },
    onTerminal ? toBoth(stream, createLogFile(logFilePath(settings))) : stream,
  );
}

/** Path of the log of a service that was started on a terminal; it includes requests. */
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

function toBoth(first: DestinationStream, second: DestinationStream): DestinationStream {
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

/** The line of a request that went well; one that failed by the service's own fault is always shown. */
function isQuietRequest(line: string): boolean {
  const { level, responseTime } = JSON.parse(line) as { level: number; responseTime?: number };
  return responseTime !== undefined && level < WARN;
}
