import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';

/** Description of the measured machine. */
export interface Machine {
  cores: number;
  processor: string;
  memoryGb: number;
  system: string;
  kernel: string;
  node: string;
}

/** Describes this machine without its name or folders. */
export async function describeMachine(): Promise<Machine> {
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1e9),
    system: /^PRETTY_NAME="?([^"\n]*)/m.exec(osRelease)?.[1] ?? type(),
    kernel: `${type()} ${release()}`,
    node: process.versions.node,
  };
}

export function machineLine({ cores, processor, memoryGb, system, kernel, node }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGb} GB, ${system}, ${kernel}, Node ${node}`;
}
