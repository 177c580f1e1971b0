import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localDate, type SampleRecord, type SourceIdentity, seriesTypeById } from '@healthd/model';
import { type DeviceKey, type ExportTruth, SIMULATED_DEVICES, type TrueDay, writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAppleExportInThread } from './file.js';
import { readFile } from './testing/read-elements.js';

const folder = mkdtempSync(join(tmpdir(), 'apple-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Read = Awaited<ReturnType<typeof readFile>>;

describe.each([
  ['in spring, when the clocks go forward', { endDate: '2026-04-05', timeZone: 'Europe/Warsaw' }],
  ['in autumn, west of Greenwich, when the clocks go back', { endDate: '2026-11-06', timeZone: 'America/New_York' }],
  ['in the easternmost time zone', { endDate: '2026-02-10', timeZone: 'Pacific/Kiritimati' }],
])('an export of three weeks %s', (_, place) => {
  let truth: ExportTruth;
  let read: Read;
  beforeAll(async () => {
    const path = join(folder, `${place.endDate}.zip`);
    truth = await writeExport(path, { ...place, days: 21, seed: 7 });
    read = await readFile(path, { batchSamples: 5000 });
  });

  it('is read without losses or rejections', () => {
    const { samples, stages, workouts, report } = read;
    const unsupported = Object.values(report.unsupported).reduce((sum, count) => sum + count, 0);
    const all = Object.values(truth.recordCounts).reduce((sum, count) => sum + count, 0);
    const ofWorkouts = samples.filter((one) => one.sampleKind === 'aggregate').length;
    expect(report).toMatchObject({ format: 'zip', truncated: false, rejected: { total: 0 } });
    expect(report.failure).toBeUndefined();
    expect(report.elements.Record).toBe(all);
    expect(samples.length - ofWorkouts + stages.length + unsupported).toBe(all);
    expect(report).toMatchObject({ samples: samples.length, sleepStages: stages.length, workouts: workouts.length });
    expect(read.batches).toBeGreaterThan(3);
  });

  it('lists unsupported elements and files with their counts', () => {
    const { unsupportedElements, unsupportedFiles, elements } = read.report;
    expect(unsupportedElements).toEqual({
      ActivitySummary: elements.ActivitySummary,
      'Record/HeartRateVariabilityMetadataList': truth.recordCounts.HKQuantityTypeIdentifierHeartRateVariabilitySDNN,
    });
    expect(unsupportedFiles).toEqual({ workout_routes: 1, clinical_documents: 1 });
  });

  it("reproduces every device's generated days", () => {
    expect(daysOf(read.samples)).toEqual(roundedDays(truth));
  });

  it('reproduces every generated workout', () => {
    const workouts = read.workouts.map((one) => ({
      type: one.type,
      startMs: one.startMs,
      endMs: one.endMs,
      durationSeconds: one.durationSeconds,
      activeKcal: one.caloriesKcal,
      basalKcal: one.basalCaloriesKcal,
      distanceMeters: one.distanceMeters,
      elevationGainMeters: one.elevationGainMeters,
      steps: one.stepsCount,
      heartRateMin: one.heartRateMin,
      heartRateAvg: one.heartRateAvg,
      heartRateMax: one.heartRateMax,
    }));
    expect(truth.workouts.length).toBeGreaterThan(4);
    expect(workouts).toEqual(truth.workouts);
  });

  it("reproduces every night's stages per device", () => {
    for (const night of truth.nights) {
      const own = read.stages.filter(
        (one) => deviceOf(one.source) === night.device && one.startMs >= night.startMs && one.endMs <= night.endMs,
      );
      const seconds = (stage: string) =>
        own.filter((one) => one.stage === stage).reduce((sum, one) => sum + (one.endMs - one.startMs) / 1000, 0);
      expect([seconds('light'), seconds('deep'), seconds('rem'), seconds('awake')]).toEqual([
        night.lightSeconds,
        night.deepSeconds,
        night.remSeconds,
        night.awakeSeconds,
      ]);
      expect(own.reduce((sum, one) => sum + (one.endMs - one.startMs) / 1000, 0)).toBe(night.inBedSeconds);
      expect(localDate(night.endMs, own[0]!.offsetMinutes!)).toBe(night.date);
    }
  });

  it('reports the personal data', () => {
    expect(read.personal).toEqual([{ kind: 'personal', ...truth.personal }]);
  });
});

describe('a faulty file', () => {
  it('is read up to the fault that the report names', async () => {
    const path = join(folder, 'faulty.xml');
    const good =
      '<Record type="HKQuantityTypeIdentifierStepCount" unit="count" value="1" startDate="2024-05-01 10:00:00 +0200" endDate="2024-05-01 10:00:00 +0200"/>';
    writeFileSync(path, `<HealthData>${good.repeat(30)}<Record type="&boom;"/>${good}`);
    expect(await readFile(path)).toMatchObject({
      report: { failure: { code: 'entity_undefined' }, samples: 30 },
    });
    writeFileSync(path, `<HealthData>${good.repeat(30)}<Reco`);
    expect(await readFile(path)).toMatchObject({
      report: { truncated: true, samples: 30 },
    });
    writeFileSync(path, 'hello');
    expect(await readFile(path)).toMatchObject({ report: { failure: { code: 'not_xml' }, samples: 0 } });
  });

  it('throws ENOENT if the file does not exist', async () => {
    await expect(readFile(join(folder, 'missing.xml'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('reading in a thread', () => {
  const path = join(folder, 'year.xml');
  let truth: ExportTruth;
  beforeAll(async () => {
    truth = await writeExport(path, { days: 120 });
  });

  it('returns the same report as without a thread, with progress', async () => {
    const direct = (await readFile(path)).report;
    let samples = 0;
    const progress: number[] = [];
    for await (const event of readAppleExportInThread(path, { batchSamples: 10_000 })) {
      if (event.kind === 'batch') samples += event.batch.samples.length;
      else if (event.kind === 'progress') progress.push(event.progress.bytesRead);
      else expect(event.report).toEqual(direct);
    }
    expect(samples).toBe(direct.samples);
    expect(progress.at(-1)).toBe(truth.bytes);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it('limits reading ahead while the caller processes a batch', async () => {
    let ahead = 0;
    for await (const event of readAppleExportInThread(path, { batchSamples: 2000 })) {
      if (event.kind === 'batch') await new Promise((resolve) => setTimeout(resolve, 120));
      else if (event.kind === 'progress') ahead = event.progress.recordsSeen;
      if (event.kind === 'batch' && ahead > 0) break;
    }
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(20_000);
  });

  it('stops when its signal aborts', async () => {
    const stop = new AbortController();
    const events: string[] = [];
    const reading = async () => {
      for await (const event of readAppleExportInThread(path, { batchSamples: 1000, signal: stop.signal })) {
        events.push(event.kind);
        if (events.length === 3) stop.abort(new Error('the run was cancelled'));
      }
    };
    await expect(reading()).rejects.toThrow('the run was cancelled');
    expect(events).toHaveLength(3);
  });

  it('reports a missing file', async () => {
    const reading = readAppleExportInThread(join(folder, 'missing.xml'));
    await expect(reading.next()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

function deviceOf(source: SourceIdentity): DeviceKey {
  const found = Object.entries(SIMULATED_DEVICES).find(
    ([, device]) => device.deviceModel === source.deviceModel && device.writer === source.writer,
  );
  return found![0] as DeviceKey;
}

function daysOf(samples: SampleRecord[]): Record<string, Partial<Record<DeviceKey, TrueDay>>> {
  const days: Record<string, Partial<Record<DeviceKey, TrueDay>>> = {};
  for (const { source, startMs, offsetMinutes, typeId, value } of samples) {
    const code = seriesTypeById(typeId)!.code;
    const field = SUMS[code];
    if (field === undefined && code !== 'heart_rate') continue;
    days[localDate(startMs, offsetMinutes!)] ??= {};
    const sources = days[localDate(startMs, offsetMinutes!)]!;
    const key = deviceOf(source);
    sources[key] ??= { steps: 0, distanceMeters: 0, activeKcal: 0, basalKcal: 0, flights: 0, exerciseMinutes: 0 };
    const day = sources[key];
    if (field !== undefined) {
      day[field] += value;
      continue;
    }
    day.heartRate ??= { min: value, max: value, sum: 0, count: 0 };
    day.heartRate.min = Math.min(day.heartRate.min, value);
    day.heartRate.max = Math.max(day.heartRate.max, value);
    day.heartRate.sum += value;
    day.heartRate.count++;
  }
  return rounded(days);
}

type Sum = Exclude<keyof TrueDay, 'heartRate'>;
const SUMS: Partial<Record<string, Sum>> = {
  steps: 'steps',
  distance_walking_running: 'distanceMeters',
  energy: 'activeKcal',
  basal_energy: 'basalKcal',
  flights_climbed: 'flights',
  exercise_time: 'exerciseMinutes',
};

function roundedDays(truth: ExportTruth) {
  return rounded(truth.days);
}

// Sums in a different order differ in the last digits.
function rounded<T>(days: T): T {
  return JSON.parse(JSON.stringify(days), (_, value) =>
    typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value,
  );
}
