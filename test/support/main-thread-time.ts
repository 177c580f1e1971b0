import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the processor time of a process's main thread in milliseconds. Excludes waiting, even for a busy processor,
 * so test results do not depend on the machine's load. @throws Error on systems other than Linux, which do not report
 * this time
 */
export function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Length of a clock tick of `/proc` on Linux. */
const TICK_MS = 10;

/**
 * Like {@link mainThreadMs}, for a Postgres server and all its connections, including closed ones. @param backendPid
 * process ID of any of its connections
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
    return undefined; // The process ended after the folder was listed.
  }
  // Skips the process name in parentheses, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((at) =>
    Number(fields[at]),
  );
  return { parent, ownTicks: user + system, endedTicks: endedUser + endedSystem };
}
