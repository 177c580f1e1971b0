import { readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time that the main thread of a process has had so far. Time in which it waited, also for a
 * processor that others use, is not in it, so that what a test finds does not depend on how busy the machine is.
 * @throws Error on systems other than Linux, which do not report it
 */
export function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
