import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small disk that a test can fill completely. */
export interface SmallDisk {
  folder: string;
  /** Reason why the disk is unavailable, because mounting needs root; undefined if it is available. */
  missing: string | undefined;
  unmount(): void;
}

/** @param owner owner of the disk; default root */
export function mountSmallDisk(mebibytes: number, owner?: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'healthd-full-'));
  const options = `size=${mebibytes}m${owner === undefined ? '' : `,mode=0700,uid=${owner}`}`;
  let missing: string | undefined;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    const reason = (error as { stderr?: Buffer }).stderr?.toString().trim() ?? 'mount cannot be run';
    missing = ` (skipped, needs to mount a small disk: ${reason})`;
  }
  return {
    folder,
    missing,
    unmount() {
      if (missing === undefined) execFileSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}
