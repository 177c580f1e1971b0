import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import yauzl from 'yauzl';
import { type DaemonHome, launchHealthd } from '../support/daemon.js';

/** A backup that was started during the faults. */
export interface TriedBackup<Known> {
  path: string;
  /** Data that the service had acknowledged when the backup started. The backup must contain all of it. */
  known: Known;
  /** True if the test killed the backup. A killed backup leaves its draft. */
  isKilled: boolean;
  code: number | null;
}

/**
 * Creates backups of the running service until `stop` is aborted, and then a last backup. Kills every third backup at a
 * random moment, except the last backup.
 */
export async function backUpUntil<Known>(
  home: DaemonHome,
  know: () => Known,
  tried: TriedBackup<Known>[],
  stop: AbortSignal,
): Promise<void> {
  for (let isLast = false; !isLast; ) {
    isLast = stop.aborted;
    const path = join(home.folder, `backup-${tried.length}.healthd`);
    const known = know();
    const { child, ended } = launchHealthd(home, ['backup', path]);
    const isKilled = !isLast && tried.length % 3 === 2;
    if (isKilled) {
      await momentDuringBackup(home, ended);
      child.kill('SIGKILL');
    }
    const { code } = await ended;
    const drafts = draftsIn(home).filter((name) => name.startsWith(basename(path)));
    if (!isKilled) expect(drafts).toEqual([]);
    for (const draft of drafts) rmSync(join(home.folder, draft));
    tried.push({ path, known, isKilled, code });
    // Without a pause a small machine would only make backups.
    if (!isLast) await sleep(1_000);
  }
}

/** True while a backup is being written. */
export function isBackingUp(home: DaemonHome): boolean {
  return draftsIn(home).length > 0;
}

/** Resolves shortly after a backup was started, or when it has ended. */
async function momentDuringBackup(home: DaemonHome, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && !isBackingUp(home)) await sleep(2);
  await Promise.race([ended, sleep(Math.random() * 300)]);
}

function draftsIn({ folder }: DaemonHome): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.part'));
}

/** Fails unless each backup is missing or complete, to the last byte of each part. @returns the complete backups */
export async function expectWholeOrAbsent<Known>(tried: readonly TriedBackup<Known>[]): Promise<TriedBackup<Known>[]> {
  for (const { path, isKilled, code } of tried) {
    // A backup that was killed at the very end is complete but unreported.
    if (!isKilled) expect({ path, code, exists: existsSync(path) }).toEqual({ path, code, exists: code === 0 });
    if (existsSync(path)) expect(await entriesOf(path)).toEqual(expect.arrayContaining(['manifest.json', 'keys.json']));
  }
  return tried.filter(({ path }) => existsSync(path));
}

async function entriesOf(path: string): Promise<string[]> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  const names: string[] = [];
  for await (const entry of zip.eachEntry()) {
    let size = 0;
    for await (const chunk of await zip.openReadStreamPromise(entry)) size += (chunk as Buffer).length;
    expect({ name: entry.fileName, size }).toEqual({ name: entry.fileName, size: entry.uncompressedSize });
    names.push(entry.fileName);
  }
  zip.close();
  return names;
}
