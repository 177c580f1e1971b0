import { join } from 'node:path';
import {
  explainActivitySummary,
  getActivitySummary,
  getDataSummary,
  getSleepSummary,
  listDataSources,
  listSleepSessions,
  listWorkouts,
} from '@healthd/contract';
import type { ImportReport } from '@healthd/daemon/ingest/files';
import { MS_PER_DAY } from '@healthd/model';
import type { DataSource, SleepSession } from '@healthd/schemas';
import { type ExportTruth, SIMULATED_DEVICES, type TrueNight, writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, newHome, startDaemon } from '../support/daemon.js';
import { importFile, newUser } from './imports.js';
import { allPages, samplesOf, sumsBySource } from './read-back.js';
import { trueSeriesCounts } from './true-counts.js';

const home = newHome();
const minutes = (seconds: number) => Math.round(seconds / 60);
const instant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

// Daylight saving time starts on 2026-03-29 in Warsaw. In Los Angeles it ends on 2025-11-02 and starts on 2026-03-08.
// Kiritimati has no daylight saving time. Its local date is almost always a day ahead of Los Angeles.
describe.each([
  { timeZone: 'Europe/Warsaw', endDate: '2026-04-08', days: 24, density: 'normal', serverZone: 'UTC' },
  { timeZone: 'America/Los_Angeles', endDate: '2026-03-16', days: 22, density: 'light', serverZone: 'Asia/Kolkata' },
  { timeZone: 'America/Los_Angeles', endDate: '2025-11-10', days: 16, density: 'light', serverZone: 'Asia/Tokyo' },
  {
    timeZone: 'Pacific/Kiritimati',
    endDate: '2026-04-08',
    days: 15,
    density: 'light',
    serverZone: 'America/Los_Angeles',
  },
] as const)('an export from $timeZone until $endDate on a $serverZone server', (options) => {
  let daemon: Daemon;
  let truth: ExportTruth;
  let report: ImportReport;
  let user: { user_id: string };
  let range: { start_date: string; end_date: string };

  beforeAll(async () => {
    const { serverZone, ...generated } = options;
    const path = join(home.folder, `export-${options.endDate}-${options.timeZone.replace('/', '-')}.zip`);
    truth = await writeExport(path, generated);
    daemon = await startDaemon({ home, env: { TZ: serverZone } });
    user = { user_id: await newUser(daemon) };
    report = await importFile(daemon, user.user_id, path);
    range = { start_date: dateBefore(truth.firstDate), end_date: dateAfter(truth.lastDate) };
  });
  afterAll(() => daemon?.stop());

  it("returns every day's watch figures without the phone's figures", async () => {
    const { data } = await daemon.client.call(getActivitySummary, {
      params: user,
      query: { ...range, limit: '400' },
    });
    const expected = Object.entries(truth.days).map(([date, { watch }]) => ({
      date,
      source: expect.objectContaining({ provider: 'apple', device: 'Watch6,2', device_type: 'watch' }),
      steps: watch?.steps,
      distance_meters: close(watch?.distanceMeters),
      floors_climbed: watch?.flights ? watch.flights : floorsOfWorkouts(truth, date),
      elevation_meters: elevation(truth, date) ?? null,
      active_calories_kcal: close(watch?.activeKcal),
      total_calories_kcal: close((watch?.activeKcal ?? 0) + (watch?.basalKcal ?? 0)),
      heart_rate: watch?.heartRate && {
        avg_bpm: Math.round(watch.heartRate.sum / watch.heartRate.count),
        min_bpm: watch.heartRate.min,
        max_bpm: watch.heartRate.max,
      },
    }));
    expect(expected).toHaveLength(options.days);
    expect(data.map(({ active_minutes, sedentary_minutes, intensity_minutes, sources, ...day }) => day)).toEqual(
      expected,
    );
    // The phone must have fewer steps than the watch. Otherwise the test could not see which device was selected.
    for (const day of Object.values(truth.days)) expect(day.phone?.steps ?? 0).toBeLessThan(day.watch?.steps ?? 0);
    expect(Object.values(truth.days).filter((day) => (day.phone?.steps ?? 0) > 0).length).toBeGreaterThan(10);
  });

  it('returns every workout', async () => {
    const workouts = await allPages((cursor) =>
      daemon.client.call(listWorkouts, { params: user, query: { ...range, cursor, limit: '7' } }),
    );
    const expected = truth.workouts.map((workout) => ({
      type: workout.type,
      start_time: instant(workout.startMs),
      end_time: instant(workout.endMs),
      zone_offset: offsetIn(truth.timeZone, workout.startMs),
      local_offset: offsetIn(truth.timeZone, workout.startMs),
      duration_seconds: workout.durationSeconds,
      calories_kcal: close(workout.activeKcal),
      total_calories_kcal: close(workout.activeKcal + workout.basalKcal),
      distance_meters: workout.distanceMeters === undefined ? null : close(workout.distanceMeters),
      avg_heart_rate_bpm: Math.round(workout.heartRateAvg),
      max_heart_rate_bpm: workout.heartRateMax,
      elevation_gain_meters: workout.elevationGainMeters === undefined ? null : close(workout.elevationGainMeters),
    }));
    const found = workouts.map(({ id, name, source, avg_pace_sec_per_km, ...workout }) => workout);
    expect(found).toMatchObject(expected.sort((a, b) => (a.start_time < b.start_time ? 1 : -1)));
    expect(workouts.every((workout) => workout.source.device === 'Watch6,2')).toBe(true);
    expect(workouts.length).toBeGreaterThan(4);
  });

  it('explains every day merged from watch and phone', async () => {
    const query = { ...range, limit: '400', merge: 'interval' } as const;
    const { data } = await daemon.client.call(getActivitySummary, { params: user, query });
    expect(data.map(({ date }) => date)).toEqual(Object.keys(truth.days));
    // Compares sums of the whole export, because parts of intervals move across midnight. Tolerates half a rounding
    // step per day.
    const merged = data.reduce((sum, { steps }) => sum + (steps ?? 0), 0);
    const counted = (device: 'watch' | 'phone') =>
      Object.values(truth.days).reduce((sum, day) => sum + (day[device]?.steps ?? 0), 0);
    expect(counted('phone')).toBeGreaterThan(0);
    expect(merged).toBeGreaterThanOrEqual(Math.max(counted('watch'), counted('phone')) - data.length / 2);
    expect(merged).toBeLessThanOrEqual(counted('watch') + counted('phone') + data.length / 2);
    for (const { date, steps, distance_meters } of data) {
      const explained = { date, merge: 'interval' } as const;
      const { metrics } = await daemon.client.call(explainActivitySummary, { params: user, query: explained });
      const value = (type: string) => metrics.find((metric) => metric.type === type)?.value;
      expect(value('steps')).toBe(steps);
      expect(value('distance_walking_running')).toBe(distance_meters);
    }
  });

  it('returns stages for watch nights, time in bed for phone nights', async () => {
    const sessions = await allPages((cursor) =>
      daemon.client.call(listSleepSessions, { params: user, query: { ...range, cursor, limit: '9' } }),
    );
    for (const device of ['watch', 'sleepApp'] as const) {
      const { deviceModel, writer, name } = SIMULATED_DEVICES[device];
      const found = sessions.filter(
        ({ source }) => source.device === deviceModel && source.source === (writer ?? name),
      );
      const nights = truth.nights.filter((night) => night.device === device);
      expect(found.map(comparable).reverse()).toEqual(nights.map((night) => trueSession(truth, night)));
      expect(found).toHaveLength(options.days);
    }
    expect(sessions).toHaveLength(2 * options.days);
  });

  it('sums up every night of the watch under the wake date', async () => {
    const { data } = await daemon.client.call(getSleepSummary, { params: user, query: { ...range, limit: '100' } });
    const nights = truth.nights.filter(({ device }) => device === 'watch');
    expect(
      data.map(({ date, source, start_time, end_time, duration_minutes, time_in_bed_minutes, ...night }) => ({
        date,
        device: source.device,
        start_time,
        end_time,
        duration_minutes,
        time_in_bed_minutes,
        stages: night.stages,
        naps: night.nap_count,
        efficiency: night.efficiency_percent,
      })),
    ).toEqual(
      nights.map((night) => ({
        date: night.date,
        device: 'Watch6,2',
        start_time: instant(night.startMs),
        end_time: instant(night.endMs),
        duration_minutes: Math.floor(asleepSeconds(night) / 60),
        time_in_bed_minutes: minutes(night.inBedSeconds),
        stages: stagesOf(night),
        naps: 0,
        efficiency: close((100 * asleepSeconds(night)) / night.inBedSeconds),
      })),
    );
  });

  it('names every writing device and application', async () => {
    const { items } = await daemon.client.call(listDataSources, { params: user });
    const shown = ({ device_model, source, device_type, original_source_name }: DataSource) => ({
      device_model,
      source,
      device_type,
      original_source_name,
    });
    const types = { watch: 'watch', phone: 'phone', scale: 'scale', sleepApp: 'phone', waterApp: null, cuff: null };
    const expected = Object.entries(SIMULATED_DEVICES).map(([key, device]) => ({
      device_model: device.deviceModel ?? null,
      source: device.writer ?? device.name,
      device_type: types[key as keyof typeof types],
      original_source_name: device.name,
    }));
    expect(items.map(shown).sort(byJson)).toEqual(expected.sort(byJson));
  });

  it('stores as many items per type as the import report lists', async () => {
    const counts = trueSeriesCounts(truth);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(report.samples_by_type).toEqual(counts);
    expect(report.rejected.total).toBe(0);
    const summary = await daemon.client.call(getDataSummary, { params: user, query: {} });
    expect(summary).toMatchObject({
      total_data_points: total,
      total_workouts: truth.workouts.length,
      total_sleep_events: truth.nights.length,
      series_type_counts: counts,
      by_provider: [{ provider: 'apple', data_points: total, workout_count: truth.workouts.length }],
    });
  });

  it('returns as many samples of every series as the file contains', async () => {
    for (const [type, count] of Object.entries(trueSeriesCounts(truth))) {
      const samples = await samplesOf(daemon, user.user_id, type, range);
      expect({ type, count: samples.length }).toEqual({ type, count });
      for (const { timestamp, zone_offset } of samples.filter((_, index) => index % 50 === 0)) {
        expect(zone_offset, timestamp).toBe(offsetIn(truth.timeZone, Date.parse(timestamp)));
      }
    }
  });

  it("keeps both devices' totals complete in hourly buckets", async () => {
    const days = Object.values(truth.days);
    const sum = (values: (number | undefined)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
    for (const resolution of ['raw', '1hour'] as const) {
      const steps = sumsBySource(await samplesOf(daemon, user.user_id, 'steps', { ...range, resolution }));
      expect(steps).toEqual({
        'Watch6,2': close(sum(days.map(({ watch }) => watch?.steps))),
        'iPhone15,2': close(sum(days.map(({ phone }) => phone?.steps))),
      });
      const basal = sumsBySource(await samplesOf(daemon, user.user_id, 'basal_energy', { ...range, resolution }));
      expect(basal).toEqual({ 'Watch6,2': close(sum(days.map(({ watch }) => watch?.basalKcal))) });
    }
  });
});

function comparable({ id, source, sleep_stage_intervals, ...session }: SleepSession) {
  return session;
}

function trueSession(truth: ExportTruth, night: TrueNight): ReturnType<typeof comparable> {
  const asleep = asleepSeconds(night);
  return {
    start_time: instant(night.startMs),
    end_time: instant(night.endMs),
    zone_offset: offsetIn(truth.timeZone, night.endMs),
    local_offset: offsetIn(truth.timeZone, night.endMs),
    wake_date: localDate(truth.timeZone, night.endMs),
    duration_seconds: (night.endMs - night.startMs) / 1000,
    sleep_duration_seconds: asleep > 0 ? asleep : null,
    efficiency_percent: asleep > 0 ? close((100 * asleep) / night.inBedSeconds) : null,
    stages: asleep > 0 ? stagesOf(night) : null,
    is_nap: false,
  };
}

function asleepSeconds(night: TrueNight): number {
  return night.lightSeconds + night.deepSeconds + night.remSeconds;
}

function stagesOf(night: TrueNight) {
  return {
    awake_minutes: minutes(night.awakeSeconds),
    light_minutes: minutes(night.lightSeconds),
    deep_minutes: minutes(night.deepSeconds),
    rem_minutes: minutes(night.remSeconds),
  };
}

function elevation(truth: ExportTruth, date: string): number | undefined {
  const climbs = truth.workouts
    .filter(({ endMs }) => localDate(truth.timeZone, endMs) === date)
    .map(({ elevationGainMeters }) => elevationGainMeters)
    .filter(isDefined);
  return climbs.length === 0 ? undefined : close(climbs.reduce((sum, meters) => sum + meters, 0));
}

/** Returns a day's floors if the watch counted no floors: one floor per three meters of climbing in workouts. */
function floorsOfWorkouts(truth: ExportTruth, date: string): number | null {
  const climbed = truth.workouts
    .filter(({ endMs }) => localDate(truth.timeZone, endMs) === date)
    .reduce((sum, { elevationGainMeters = 0 }) => sum + elevationGainMeters, 0);
  return climbed > 0 ? Math.trunc(climbed / 3) : null;
}

function localDate(timeZone: string, ms: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms);
}

/** Returns the `±HH:MM` offset of a time zone from the runtime's own calendar. */
function offsetIn(timeZone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') || '+00:00';
}

function dateBefore(date: string): string {
  return new Date(Date.parse(date) - MS_PER_DAY).toISOString().slice(0, 10);
}

/** Returns the date two days later, to include a day that ends late in UTC. */
function dateAfter(date: string): string {
  return new Date(Date.parse(date) + 2 * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Matches a sum approximately, because the last digits of a sum depend on the order of addition. */
function close(value: number | undefined): number {
  return expect.closeTo(value ?? 0, 5) as unknown as number;
}

function byJson(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
