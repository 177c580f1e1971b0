import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ErasureEntry, ledgerText, newLedgerKey, parseLedger } from './ledger-lines.js';

/**
 * The erasure ledger: a file outside the database, so that restoring a backup does not restore erased users. It is
 * append-only. Several processes may share it.
 */
export class ErasureLedger {
  private key: string | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(readonly path: string) {}

  /** Returns the ledger of a data directory. It is in a separate folder, so that a volume can be mounted there. */
  static of(dataDir: string): ErasureLedger {
    return new ErasureLedger(join(dataDir, 'ledger', 'erasures.jsonl'));
  }

  /** Returns the stored entries; an empty list if the file does not exist. */
  async entries(): Promise<ErasureEntry[]> {
    return parseLedger(await this.read());
  }

  /** Returns the key for new entries. */
  async entryKey(): Promise<string> {
    this.key ??= (await this.entries()).at(-1)?.key ?? newLedgerKey();
    return this.key;
  }

  /** Appends missing entries. Resolves once they are safely on disk. */
  append(entries: readonly ErasureEntry[]): Promise<void> {
    const done = this.last.then(() => this.write(entries));
    this.last = done.catch(() => undefined);
    return done;
  }

  private async write(entries: readonly ErasureEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const text = await this.read();
    const missing = new Map(entries.map((entry) => [entry.hash, entry]));
    for (const { hash } of parseLedger(text)) missing.delete(hash);
    if (missing.size === 0) return;
    const folder = dirname(this.path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(this.path, 'a', 0o600);
    try {
      // Starts a new line if a crash truncated the last line. Otherwise the new entry would become part of that line.
      const separator = text === '' || text.endsWith('\n') ? '' : '\n';
      await file.writeFile(separator + ledgerText([...missing.values()]));
      await file.sync();
    } finally {
      await file.close();
    }
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  }

  private async read(): Promise<string> {
    return readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
  }
}
