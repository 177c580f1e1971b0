import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HealthRecord, RecordBatch, WorkoutRecord } from '@healthd/model';
import { seriesTypeById } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitFile, gpxFile, START, tcxFile, zipOf } from '../../../../test/support/workout-files.js';
import { filledWorkoutFields } from '../testing/workout-fields.js';
import { WORKOUT_FILES } from './provider.js';
import { readWorkoutFiles } from './read-workout-files.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workout-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: Buffer | string, options: Parameters<typeof readWorkoutFiles>[2] = {}) {
  const path = join(folder, 'upload');
  await writeFile(path, content);
  const batches: RecordBatch[] = [];
  const report = await readWorkoutFiles(path, { onBatch: (batch) => void batches.push(batch) }, options);
  expect(await readdir(folder)).toEqual(['upload']);
  const records: HealthRecord[] = batches.flatMap((batch) => batch.records);
  const samples = batches.flatMap(({ samples: columns, sources }) =>
    Array.from({ length: columns.length }, (_, row) => ({
      code: seriesTypeById(columns.typeId[row] ?? 0)?.code,
      startMs: columns.startMs[row],
      value: columns.value[row],
      source: sources[columns.sourceIndex[row] ?? 0],
    })),
  );
  const workouts = records.filter((record): record is WorkoutRecord => record.kind === 'workout');
  const { files } = report;
  expect(files?.read).toBe(
    (files?.imported ?? 0) + (files?.unreadable ?? 0) + (files?.without_workout ?? 0) + (files?.others ?? 0),
  );
  return { report, records, samples, workouts, batches };
}

const valuesOf = (samples: Awaited<ReturnType<typeof read>>['samples'], code: string) =>
  samples.filter((one) => one.code === code).map(({ value }) => value);

describe('a FIT file', () => {
  it('becomes a workout with the figures of its session', async () => {
    const { workouts, report } = await read(fitFile({ laps: 2 }));
    expect(workouts).toMatchObject([
      {
        type: 'running',
        externalId: '2026-05-09T06:30:00.000Z',
        startMs: Date.parse(START),
        endMs: Date.parse(START) + 60_000,
        offsetMinutes: 120,
        durationSeconds: 55,
        movingSeconds: 55,
        distanceMeters: 600,
        totalCaloriesKcal: 42,
        heartRateMin: 90,
        heartRateAvg: 121,
        heartRateMax: 131,
        averageSpeed: 3,
        maxSpeed: 4,
        averageWatts: 240,
        maxWatts: 400,
        elevationGainMeters: 30,
        elevationLowMeters: 500,
        elevationHighMeters: 559,
        events: [
          { type: 'lap', startMs: Date.parse(START), durationSeconds: 30, distanceMeters: 90 },
          { type: 'lap', startMs: Date.parse(START) + 30_000, durationSeconds: 30, distanceMeters: 90 },
        ],
        source: {
          provider: 'workout_files',
          writer: 'workout_file/fit',
          deviceModel: 'Garmin 4315',
          deviceType: 'watch',
        },
        metadata: { provenance: 'archive', file_format: 'fit', total_descent_meters: 20 },
      },
    ]);
    expect(report).toMatchObject({ elements: { fit: 1 }, rejected: { total: 0 }, format: 'file' });
  });

  it('counts two steps per stride only in the workout', async () => {
    const { workouts, samples } = await read(fitFile({ cadence: 85 }));
    expect(workouts).toMatchObject([{ stepsCount: 170, averageCadence: 170 }]);
    expect(new Set(valuesOf(samples, 'cadence'))).toEqual(new Set([170]));
    expect(samples.filter(({ code }) => code === 'steps' || code?.startsWith('distance'))).toEqual([]);
  });

  it.each([
    ['run', { sport: 1 }, 172],
    ['walk', { sport: 11 }, 110],
    ['hike', { sport: 17 }, 100],
    ['walk on a treadmill', { sport: 11, subSport: 1 }, 110],
  ])('keeps the cadence and steps of a %s that count both legs', async (_, session, cadence) => {
    const { workouts, samples } = await read(fitFile({ cadence, sessions: [{ ...session, cycles: 170 }] }));
    expect(workouts).toMatchObject([{ averageCadence: cadence, stepsCount: 170 }]);
    expect(new Set(valuesOf(samples, 'cadence'))).toEqual(new Set([cadence]));
  });

  it.each([
    ['run', { sport: 1 }, 118],
    ['walk', { sport: 11 }, 62],
    ['hike', { sport: 17 }, 50],
  ])('doubles the cadence and steps of a %s that count one leg', async (_, session, cadence) => {
    const { workouts, samples } = await read(fitFile({ cadence, sessions: [{ ...session, cycles: 85 }] }));
    expect(workouts).toMatchObject([{ averageCadence: 2 * cadence, stepsCount: 170 }]);
    expect(new Set(valuesOf(samples, 'cadence'))).toEqual(new Set([2 * cadence]));
  });

  it('has no steps for pedal revolutions', async () => {
    const { workouts } = await read(fitFile({ sessions: [{ sport: 2, cycles: 85 }] }));
    expect(workouts[0]?.type).toBe('cycling');
    expect(workouts[0]?.stepsCount).toBeUndefined();
  });

  it('becomes one multisport workout with its parts', async () => {
    const { workouts } = await read(fitFile({ sessions: [{ sport: 2 }, { sport: 1, subSport: 3 }] }));
    expect(workouts).toMatchObject([
      {
        type: 'multisport',
        distanceMeters: 600,
        activities: [
          { type: 'cycling', startMs: Date.parse(START) },
          { type: 'trail_running', startMs: Date.parse(START) + 30_000 },
        ],
      },
    ]);
    expect(workouts[0]?.averageCadence).toBeUndefined();
  });

  it('keeps the readings before a cut and reports the damage', async () => {
    const whole = fitFile();
    const { workouts, samples, report, records } = await read(whole.subarray(0, whole.length >> 1));
    expect(workouts).toMatchObject([{ isCreation: true }, { isCompletion: true }]);
    expect(valuesOf(samples, 'heart_rate').length).toBeGreaterThan(10);
    expect(report.files?.problems).toEqual([{ name: null, reason: 'damaged', is_stored: true }]);
    expect(report).toMatchObject({ truncated: true, rejected: { total: 0 } });
    expect(records.some(({ kind }) => kind === 'replacement')).toBe(false);
  });

  it.each([
    [1, 'running', 170],
    [2, 'cycling', 85],
  ])('has the cadence of its early sport %i after a cut', async (earlySport, type, cadence) => {
    const whole = fitFile({ earlySport });
    const { workouts, samples } = await read(whole.subarray(0, whole.length >> 1));
    expect(workouts[0]?.type).toBe(type);
    expect(new Set(valuesOf(samples, 'cadence'))).toEqual(new Set([cadence]));
  });

  it('has no cadence after a cut without a known sport', async () => {
    const whole = fitFile();
    const { workouts, samples } = await read(whole.subarray(0, whole.length >> 1));
    expect(workouts[0]).toMatchObject({ type: 'generic', averageCadence: undefined });
    expect(valuesOf(samples, 'cadence')).toEqual([]);
    expect(valuesOf(samples, 'power').length).toBeGreaterThan(10);
  });

  it('drops readings from before the clock was set', async () => {
    const file = fitFile();
    const early = fitFile({ start: '1990-01-06T00:00:00Z', seconds: 3, sessions: [] });
    const { workouts, samples, report } = await read(Buffer.concat([early, file]));
    expect(workouts).toMatchObject([{ startMs: Date.parse(START) }]);
    expect(samples).toHaveLength(60 * 8);
    expect(report.files?.problems).toEqual([{ name: null, reason: 'outside_workout', is_stored: true }]);
    expect(report.rejected).toMatchObject({ total: 3, byReason: { outside_workout: 3 }, first: [{ index: 0 }] });
  });

  it.each([
    [6, 'fit/course'],
    [32, 'fit/monitoring'],
  ])('of type %i contains no workout', async (type, content) => {
    const { workouts, report } = await read(fitFile({ type }));
    expect(workouts).toEqual([]);
    expect(report.unsupported).toEqual({ [content]: 1 });
    expect(report.failure).toBeUndefined();
  });
});

describe('a GPX file', () => {
  it('becomes a workout with a pause between its segments', async () => {
    const { workouts, samples } = await read(gpxFile());
    expect(workouts).toMatchObject([
      {
        type: 'running',
        name: 'Round the lake',
        startMs: Date.parse(START),
        endMs: Date.parse(START) + 89_000,
        durationSeconds: 58,
        heartRateMin: 120,
        heartRateAvg: 120,
        heartRateMax: 120,
        averageCadence: 170,
        averageWatts: 250,
        elevationLowMeters: 500,
        elevationHighMeters: 559,
        events: [{ type: 'pause', startMs: Date.parse(START) + 29_000, durationSeconds: 31 }],
        source: { writer: 'workout_file/gpx/Example App', originalSourceName: 'Example App' },
        metadata: { provenance: 'archive', file_format: 'gpx', distance_from: 'positions' },
      },
    ]);
    // 58 steps of a ten-thousandth of a degree of latitude.
    expect(workouts[0]?.distanceMeters).toBeCloseTo(58 * 11.1195, 1);
    expect(valuesOf(samples, 'latitude')).toHaveLength(60);
    expect(valuesOf(samples, 'air_temperature')[0]).toBe(21);
    expect(valuesOf(samples, 'speed')[0]).toBe(3);
  });

  it('without times is a route, not a workout', async () => {
    const { report, workouts } = await read(gpxFile().replaceAll(/<time>[^<]*<\/time>/g, ''));
    expect(workouts).toEqual([]);
    expect(report.unsupported).toEqual({ 'gpx/route': 1 });
  });

  it('may be longer than a day', async () => {
    const days = gpxFile({ seconds: 4 }).replaceAll(/<time>2026-05-09T06:31/g, '<time>2026-05-12T06:31');
    const late = days
      .replaceAll('2026-05-09T06:30:32', '2026-05-12T06:30:32')
      .replaceAll('2026-05-09T06:30:33', '2026-05-12T06:30:33');
    const { workouts } = await read(late);
    expect(workouts).toHaveLength(1);
    expect((workouts[0]?.endMs ?? 0) - (workouts[0]?.startMs ?? 0)).toBeGreaterThan(3 * 86_400_000);
  });
});

describe('a TCX file', () => {
  it('becomes a workout with laps and totals', async () => {
    const { workouts, samples } = await read(tcxFile());
    expect(workouts).toMatchObject([
      {
        type: 'running',
        startMs: Date.parse(START),
        endMs: Date.parse(START) + 60_000,
        durationSeconds: 60,
        distanceMeters: 180,
        totalCaloriesKcal: 42,
        stepsCount: 170,
        averageCadence: 170,
        heartRateMax: 131,
        maxSpeed: 4,
        source: { writer: 'workout_file/tcx', deviceModel: 'Forerunner 965', deviceType: 'watch' },
      },
    ]);
    expect(workouts[0]?.events?.map(({ type }) => type)).toEqual(['lap', 'lap']);
    expect(valuesOf(samples, 'power')).toHaveLength(60);
  });
});

it('emits exactly the declared series and workout fields', async () => {
  const { samples, workouts } = await read(fitFile());
  expect(new Set(samples.map(({ code }) => code))).toEqual(new Set(WORKOUT_FILES.coverage.series));
  expect(filledWorkoutFields(workouts, 'totalCaloriesKcal')).toEqual(WORKOUT_FILES.coverage.workoutFields);
});

describe('an unreadable file', () => {
  const DTD = '<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  it.each([
    ['not_workout_file', '<html></html>'],
    ['xml_malformed', '<gpx><trk></gpx>'],
    ['xml_malformed', gpxFile().slice(0, 900)],
    ['dtd_forbidden', gpxFile().replace('<gpx', `${DTD}<gpx`)],
    ['encoding_unsupported', Buffer.from(`\uFEFF${gpxFile()}`, 'utf16le')],
    ['encoding_unsupported', gpxFile().replace('UTF-8', 'UTF-7')],
    ['document_too_large', gzipSync(Buffer.alloc(20_000_001, ' '))],
    ['archive_damaged', gzipSync(gpxFile()).subarray(0, 200)],
    ['truncated', fitFile().subarray(0, 14)],
    ['interval_invalid', gpxFile({ seconds: 2 }).replaceAll(/<time>[^<]*/g, `<time>${START}`)],
  ])('fails the import with the reason %s', async (code, content) => {
    const { report, workouts } = await read(content);
    expect(workouts).toEqual([]);
    expect(report.failure?.code).toBe(code);
    expect(report.files?.problems).toEqual([{ name: null, reason: code, is_stored: false }]);
  });

  it('in an archive is listed while the other files are imported', async () => {
    const archive = await zipOf({
      'activities/1.fit.gz': gzipSync(fitFile()),
      'activities/2.gpx': gpxFile({ start: '2026-05-09T16:30:00Z', sport: 'cycling' }),
      'activities/3.tcx': '<TrainingCenterDatabase><Activities>',
      'activities/route.gpx': '<gpx><rte><rtept lat="1" lon="2"/></rte></gpx>',
      'profile.csv': 'name',
      'media/1.jpg': 'x',
      '__MACOSX/activities/._1.fit.gz': 'x',
    });
    const { report, workouts } = await read(archive);
    expect(workouts.map(({ type }) => type)).toEqual(['running', 'cycling']);
    expect(report).toMatchObject({
      format: 'zip',
      elements: { fit: 1, gpx: 1 },
      unsupported: { 'gpx/route': 1 },
      unsupportedFiles: { csv: 1, images: 1 },
      rejected: { total: 1, byReason: { 'unreadable:xml_malformed': 1 } },
      files: {
        read: 6,
        imported: 2,
        unreadable: 1,
        without_workout: 1,
        others: 2,
        problems: [{ name: 'activities/3.tcx', reason: 'xml_malformed', is_stored: false }],
      },
    });
    expect(report.failure).toBeUndefined();
  });
});

describe('an invalid workout', () => {
  const stands = `<Activity Sport="Running"><Lap StartTime="${START}"><TotalTimeSeconds>0</TotalTimeSeconds></Lap></Activity>`;
  const point = '<trk><trkseg><trkpt lat="1" lon="2"><time>2026-05-08T06:30:00Z</time></trkpt></trkseg></trk>';
  const wrongClock = point.replace('</trkseg>', `<trkpt lat="1" lon="2"><time>1999-08-22T00:00:00Z</time></trkpt>$&`);
  it.each([
    ['TCX activity without a length', tcxFile().replace('<Activities>', `$&${stands}`), 'tcx'],
    ['GPX track with a single point', gpxFile().replace('<trk>', `${point}$&`), 'gpx'],
    ['GPX track with a wrong clock', gpxFile().replace('<trk>', `${wrongClock}$&`), 'gpx'],
  ])('is listed and not stored: a %s', async (_, file, format) => {
    const { workouts, report } = await read(file);
    expect(workouts).toMatchObject([{ externalId: '2026-05-09T06:30:00.000Z', durationSeconds: expect.any(Number) }]);
    expect(report).toMatchObject({
      elements: { [format]: 1 },
      rejected: { total: 1, byReason: { 'unreadable:interval_invalid': 1 } },
      files: {
        imported: 1,
        unreadable: 0,
        problems: [{ name: null, reason: 'interval_invalid', is_stored: true }],
      },
    });
    expect(report.failure).toBeUndefined();
  });
});

describe('an archive', () => {
  it('may contain archives', async () => {
    const inner = await zipOf({ 'a/1.fit': fitFile(), 'a/broken.fit': 'x' });
    const { report, workouts } = await read(await zipOf({ 'parts/Part1.zip': inner, 'x.json': '{}' }));
    expect(workouts).toHaveLength(1);
    expect(report.files?.problems).toEqual([
      { name: 'parts/Part1.zip/a/broken.fit', reason: 'not_workout_file', is_stored: false },
    ]);
  });

  it('rejects archives that are nested too deeply', async () => {
    let archive = await zipOf({ '1.fit': fitFile() });
    for (let depth = 0; depth < 4; depth++) archive = await zipOf({ [`${depth}.zip`]: archive });
    const { report, workouts } = await read(archive);
    expect(workouts).toEqual([]);
    expect(report.files?.problems.map(({ reason }) => reason)).toEqual(['nested_too_deep']);
  });

  it('without a workout file fails', async () => {
    const { report } = await read(await zipOf({ 'export.xml': '<HealthData/>' }));
    expect(report.failure?.code).toBe('no_workouts');
  });

  it('stops when its unpacked size exceeds the limit', async () => {
    const archive = await zipOf({ '1.fit': fitFile(), '2.gpx': gpxFile(), '3.gpx': gpxFile() });
    const { report, workouts } = await read(archive, { limits: { maxUnpackedBytes: fitFile().length + 100 } });
    expect(report.failure?.code).toBe('unpacked_too_large');
    expect(workouts).toHaveLength(1);
  });

  it('stops when its compression ratio exceeds the limit', async () => {
    const blank = Buffer.alloc(18_000_000, ' ');
    const { report } = await read(await zipOf({ '1.gpx': blank, '2.gpx': blank }), { limits: { maxRatio: 20 } });
    expect(report.failure?.code).toBe('ratio_exceeded');
  });

  it('counts the content of gzipped files against its limits', async () => {
    const blank = gzipSync(Buffer.alloc(18_000_000, ' '));
    const { report } = await read(await zipOf({ '1.gpx.gz': blank, '2.gpx.gz': blank }), { limits: { maxRatio: 20 } });
    expect(report.failure?.code).toBe('ratio_exceeded');
  });

  it('with a damaged directory or file reports the damage', async () => {
    const archive = await zipOf({ '1.fit': fitFile(), '2.fit': fitFile() });
    const cut = await read(archive.subarray(0, archive.length - 60));
    expect(cut.report.failure?.code).toBe('archive_damaged');
    archive.fill(0x55, 60, 90);
    const { report, workouts } = await read(archive);
    expect(report.files?.problems).toEqual([{ name: '1.fit', reason: 'archive_damaged', is_stored: false }]);
    expect(workouts).toHaveLength(1);
  });
});

describe('batches', () => {
  it.each([10, 100, 25_000])('of %i samples keep readings and their replacement together', async (batchSamples) => {
    const { batches, samples } = await read(fitFile({ seconds: 120 }), { batchSamples });
    expect(samples).toHaveLength(120 * 8);
    const windows = batches.flatMap(({ records, samples: columns }) =>
      records.flatMap((record) => {
        if (record.kind !== 'replacement') return [];
        const inside = Array.from(columns.startMs.subarray(0, columns.length)).filter(
          (at) => at >= record.startMs && at < record.endMs,
        );
        expect(inside.length).toBeGreaterThan(0);
        return [[record.startMs, record.endMs, inside.length] as const];
      }),
    );
    expect(windows.reduce((sum, [, , inside]) => sum + inside, 0)).toBe(samples.length);
    for (const [n, [, endMs]] of windows.slice(0, -1).entries()) expect(windows[n + 1]?.[0]).toBe(endMs);
  });
});
