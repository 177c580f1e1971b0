import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Process that took a lock, as described in the lock file. */
export interface LockHolder {
  pid: number;
  /** Host name. In a container it is usually the start of the container's id. */
  host: string;
  /** Namespace of the process id; empty if the system has no namespaces. */
  pidNamespace: string;
  /** Instant in ISO 8601. */
  since: string;
  /** Name of a command that ends on its own, so that a starting service waits for it. */
  command?: 'backup';
}

export function currentHolder(command?: LockHolder['command']): LockHolder {
  const since = new Date().toISOString();
  return { pid: process.pid, host: hostname(), pidNamespace: pidNamespace(), since, ...(command && { command }) };
}

/** Undefined for incomplete text. */
export function parseHolder(text: string): LockHolder | undefined {
  try {
    const { pid, host, pidNamespace: namespace, since, command } = JSON.parse(text) as Partial<LockHolder>;
    if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
    return { pid, host, pidNamespace: namespace ?? '', since: since ?? '', ...(command === 'backup' && { command }) };
  } catch {
    return undefined;
  }
}

/** True if the holder's process id refers to the same process here. */
export function isInOurNamespace(holder: LockHolder): boolean {
  return holder.host === hostname() && holder.pidNamespace === pidNamespace();
}

/** Describes how to find the holder. */
export function holderText(holder: LockHolder | undefined): string {
  if (holder === undefined) return 'unknown process';
  if (isInOurNamespace(holder)) return `process ${holder.pid}`;
  return `process ${holder.pid} on another host or container named ${holder.host}, since ${holder.since}`;
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
