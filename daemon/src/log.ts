import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import { loggedError } from './logged-error.js';

/**
 * The log, on standard error: standard output is for the person who started the service. A terminal gets one readable
 * line for each event, anything else gets JSON.
 */
export function createLog(level: string): Logger {
  return pino(
    { level, serializers: { err: loggedError } },
    process.stderr.isTTY ? readable() : pino.destination({ dest: 2, sync: false }),
  );
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
