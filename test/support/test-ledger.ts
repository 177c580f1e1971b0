import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErasureLedger } from '@healthd/daemon/users';
import { atFileEnd } from './file-end.js';

/** Creates an erasure ledger in a folder that is removed with the test file. */
export function testLedger(): ErasureLedger {
  const folder = mkdtempSync(join(tmpdir(), 'healthd-ledger-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  return ErasureLedger.of(folder);
}
