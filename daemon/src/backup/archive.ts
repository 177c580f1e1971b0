import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import type { z } from 'zod';
import { BackupError } from './failure.js';

/** A backup that is open for reading. Its entries may be in any order. */
export class Archive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** @throws BackupError `not_a_backup` */
  static async open(path: string): Promise<Archive> {
    try {
      const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      return new Archive(zip, entries);
    } catch (error) {
      throw new BackupError('not_a_backup', `Cannot read ${path}: it is not a healthd backup.`, error);
    }
  }

  /** @throws BackupError `damaged` if the archive lacks the entry */
  entry(name: string): Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new BackupError('damaged', `The backup does not contain ${name}.`);
    return entry;
  }

  /** @throws BackupError `damaged` if the archive lacks the entry */
  async stream(name: string): Promise<Readable> {
    return this.zip.openReadStreamPromise(this.entry(name));
  }

  /** @throws BackupError `not_a_backup` if the entry is missing or invalid */
  async json<T extends z.ZodType>(name: string, schema: T): Promise<z.output<T>> {
    try {
      return schema.parse(JSON.parse(await text(await this.stream(name))));
    } catch (error) {
      throw new BackupError('not_a_backup', `${name} of the backup is missing or invalid.`, error);
    }
  }

  /** Returns the text of an entry; empty if an older backup lacks it. */
  async text(name: string): Promise<string> {
    return this.entries.has(name) ? text(await this.stream(name)) : '';
  }

  close(): void {
    this.zip.close();
  }
}
