import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../docs/documents.js';
import type { RecordedExamples } from './record-examples.js';
import type { Recorded } from './recorder.js';

const FOLDER = join(ROOT, 'packages/schemas/examples');
const ERRORS = 'errors';

/** Returns the text of this checkout's examples by file name without extension. */
export async function storedTexts(): Promise<Record<string, string>> {
  const names = existsSync(FOLDER) ? await readdir(FOLDER) : [];
  const texts = names.map(async (name) => [name.replace(/\.json$/, ''), await readFile(join(FOLDER, name), 'utf8')]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

/** Returns the examples of this checkout. */
export async function storedExamples(): Promise<RecordedExamples> {
  const all = Object.entries(await storedTexts()).map(([name, text]) => [name, JSON.parse(text)] as const);
  const { [ERRORS]: errors = {}, ...operations } = Object.fromEntries(all) as Record<string, Recorded>;
  return { operations, errors: errors as RecordedExamples['errors'] };
}

/** Replaces this checkout's examples with a recording. */
export async function storeExamples({ operations, errors }: RecordedExamples): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const [name, example] of Object.entries({ ...operations, [ERRORS]: errors })) {
    await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(example, null, 2)}\n`);
  }
}
