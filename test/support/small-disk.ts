import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of this many mebibytes that is really full when it is full. */
export interface SmallDisk {
  folder: string;
  /** Why there is none: mounting needs root; undefined when there is one. */
  missing: string | undefined;
  unmount(): void;
}

/** @param owner user whom the disk belongs to; root otherwise */
export function mountSmallDisk(mebibytes: number, owner?: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'healthd-full-'));
  const options = `size=${mebibytes}m${owner === undefined ? '' : `,mode=0700,uid=${owner}`}`;
  let missing: string | undefined;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    const said = (error as { stderr?: Buffer }).stderr?.toString().trim() ?? 'mount cannot be run';
    missing = ` (skipped, needs to mount a small disk: ${said})`;
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
