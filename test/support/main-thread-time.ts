import { readdirSync, readFileSync } from 'node:fs';

/**
 * Milliseconds of processor time that the main thread of a process has had so far. Time in which it waited, also for a
 * processor that others use, is not in it, so that what a test finds does not depend on how busy the machine is.
 * @throws Error on systems other than Linux, which do not report it
 */
export function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Clock ticks of `/proc` on Linux. */
const TICK_MS = 10;

/**
 * As {@link mainThreadMs} for a Postgres server and all its connections, also those that have ended.
 * @param backendPid of any of its connections
 */
export function databaseMs(backendPid: number): number {
  const server = statOf(backendPid)?.parent;
  if (server === undefined) throw new Error('the connection to the database has ended');
  const live = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === server)
    .reduce((ticks, stat) => ticks + (stat?.ownTicks ?? 0), 0);
  return TICK_MS * (live + (statOf(server)?.endedTicks ?? 0));
}

function statOf(pid: number): { parent: number; ownTicks: number; endedTicks: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // It has ended since the folder was listed.
  }
  // The name before may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((at) =>
    Number(fields[at]),
  );
  return { parent, ownTicks: user + system, endedTicks: endedUser + endedSystem };
}
