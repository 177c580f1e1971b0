import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_EVERY_MS = 100;
/** Clock ticks of /proc, 100 per second on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Resource usage of one program's processes. */
export interface Load {
  /** Highest memory use at any moment. Undefined without /proc. */
  peakMemoryMb?: number;
  cpuSeconds?: number;
}

/** Returns the peak memory of one process, including its threads (VmHWM), and its processor time. */
export function loadOf(pid: number): Load {
  const peakKb = statusField(pid, 'VmHWM');
  return peakKb === undefined ? {} : { peakMemoryMb: peakKb / 1000, cpuSeconds: cpuSeconds(pid) };
}

/** Returns the memory that a process uses now. */
export function memoryMb(pid: number): number | undefined {
  const kb = statusField(pid, 'VmRSS');
  return kb === undefined ? undefined : kb / 1000;
}

/**
 * Watches a server and its children until `stop` is called. Memory is the sum of the processes' private memory, plus
 * the shared buffers once. The largest shared part of any process stands for all shared buffers.
 */
export function watchServer(pid: number): { stop(): Load } {
  let peakKb = 0;
  const cpuByProcess = new Map<number, { first: number; last: number }>();
  const look = () => {
    let ownKb = 0;
    let sharedKb = 0;
    for (const member of [pid, ...childrenOf(pid)]) {
      ownKb += statusField(member, 'RssAnon') ?? 0;
      sharedKb = Math.max(sharedKb, statusField(member, 'RssShmem') ?? 0);
      const now = cpuSeconds(member);
      if (now === undefined) continue;
      const known = cpuByProcess.get(member);
      if (known) known.last = now;
      else cpuByProcess.set(member, { first: now, last: now });
    }
    peakKb = Math.max(peakKb, ownKb + sharedKb);
  };
  look();
  const timer = setInterval(look, SAMPLE_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      if (peakKb === 0) return {};
      const seconds = [...cpuByProcess.values()].reduce((sum, { first, last }) => sum + last - first, 0);
      return { peakMemoryMb: peakKb / 1000, cpuSeconds: seconds };
    },
  };
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return processesBelow(pid);
  }
}

/** Returns the child processes on kernels without a list of children. */
function processesBelow(pid: number): number[] {
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return all.map(Number).filter((member) => statusField(member, 'PPid') === pid);
  } catch {
    return [];
  }
}

function cpuSeconds(pid: number): number | undefined {
  try {
    // The program's name is in parentheses and may contain any character. User and system time are the 12th and 13th
    // fields after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

function statusField(pid: number, name: string): number | undefined {
  try {
    const match = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return match?.[1] === undefined ? undefined : Number(match[1]);
  } catch {
    return undefined;
  }
}
