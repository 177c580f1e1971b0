import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitFile, gpxFile, zipOf } from '../../../../test/support/workout-files.js';
import type { FileReport } from '../files/index.js';
import { WORKOUT_FILE } from './file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workout-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads a file in the thread with the limited heap. */
async function readInThread(content: Buffer | string) {
  const path = join(folder, 'upload');
  await writeFile(path, content);
  let samples = 0;
  let report: FileReport | undefined;
  for await (const event of WORKOUT_FILE.read(path)) {
    if (event.kind === 'batch') samples += event.batch.samples.length;
    if (event.kind === 'end') report = event.report;
  }
  return { samples, report };
}

describe('a large file', () => {
  it('is read within the memory of the thread', { timeout: 60_000 }, async () => {
    const seconds = 172_000;
    const { samples, report } = await readInThread(fitFile({ seconds }));
    expect(report?.files).toMatchObject({ imported: 1, problems: [] });
    // The altitude overflows and sometimes equals the marker of a missing value.
    expect(samples).toBeGreaterThan(8 * seconds - 10);
  });

  it('with too many workouts does not affect the other files', { timeout: 60_000 }, async () => {
    const point = (second: number) =>
      `<trkpt lat="1" lon="2"><time>${new Date(second * 1_000).toISOString()}</time></trkpt>`;
    const track = (n: number) => `<trk><trkseg>${point(n * 10)}${point(n * 10 + 5)}</trkseg></trk>`;
    const tracks = Array.from({ length: 1_001 }, (_, n) => track(n + 100_000_000));
    const whole = `<gpx>${tracks.join('')}</gpx>`;
    const { report } = await readInThread(await zipOf({ 'whole.gpx': whole, '1.gpx': gpxFile() }));
    expect(report?.failure).toBeUndefined();
    expect(report?.files).toMatchObject({
      imported: 1,
      problems: [{ name: 'whole.gpx', reason: 'too_many_workouts', is_stored: false }],
    });
    const allowed = await readInThread(whole.replace(/<trk>.*?<\/trk>/, ''));
    expect(allowed.report).toMatchObject({ elements: { gpx: 1_000 }, files: { imported: 1, problems: [] } });
  });
});
