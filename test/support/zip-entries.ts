import { text } from 'node:stream/consumers';
import yauzl from 'yauzl';

/** Returns the text of every entry of a zip archive, by path. */
export async function zipEntries(archive: Buffer): Promise<Map<string, string>> {
  const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  }
  return entries;
}
