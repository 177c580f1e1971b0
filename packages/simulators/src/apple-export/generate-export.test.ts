import { createHash } from 'node:crypto';
import { ITEM_LIMITS, MS_PER_HOUR, SECONDS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { Calendar } from '../calendar.js';
import { type GenerateOptions, generateExport } from './generate-export.js';

const light = { density: 'light', days: 30 } as const;

describe('a generated export', () => {
  it('is determined by the seed', async () => {
    const first = await generate(light);
    expect((await generate(light)).hash).toBe(first.hash);
    expect((await generate({ ...light, seed: 2 })).hash).not.toBe(first.hash);
  });

  it('covers exactly the requested days up to the requested end', async () => {
    const { truth } = await generate({ ...light, endDate: '2026-04-02' });
    expect([truth.firstDate, truth.lastDate]).toEqual(['2026-03-04', '2026-04-02']);
    expect(Object.keys(truth.days).sort()).toEqual(
      Array.from({ length: 30 }, (_, n) => new Date(Date.UTC(2026, 2, 4 + n)).toISOString().slice(0, 10)),
    );
  });

  it('reaches the requested size within 10 %', async () => {
    const { truth } = await generate({ targetBytes: 60_000_000 });
    expect(Math.abs(truth.bytes - 60_000_000)).toBeLessThan(6_000_000);
  });

  it('stays below a tenth of the item limits', async () => {
    const { xml } = await generate({ density: 'dense', days: 20 });
    const counts = {
      stagesOfNight: new Map<string, number>(),
      readingsOfInstant: new Map<string, number>(),
      sessionsOfSecond: new Map<string, number>(),
    };
    const sources = new Set<string>();
    const count = (limit: keyof typeof counts, key: string) =>
      counts[limit].set(key, (counts[limit].get(key) ?? 0) + 1);
    const items = xml.matchAll(
      /^ <(Record|Workout) (?:type|workoutActivityType)="([^"]+)".*? sourceName="([^"]+)".*? startDate="([^"]+)"/gm,
    );
    for (const [, element, type, source, start] of items) {
      sources.add(source!);
      const startMs = Date.parse(start!.replace(/ (?=[+-])/, '').replace(' ', 'T'));
      // A night lasts from noon to noon.
      const night = Math.floor(startMs / MS_PER_HOUR / 24 + 0.5);
      if (element === 'Workout') count('sessionsOfSecond', `${source} ${start}`);
      else if (type!.endsWith('SleepAnalysis')) count('stagesOfNight', `${source} ${night}`);
      else count('readingsOfInstant', `${type} ${source} ${start}`);
    }
    for (const limit of Object.keys(counts) as (keyof typeof counts)[]) {
      const most = [...counts[limit].values()].reduce((a, b) => Math.max(a, b), 0);
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(ITEM_LIMITS[limit] / 10);
    }
    expect(sources.size).toBeLessThan(ITEM_LIMITS.sourcesOfProvider / 10);
  });

  it('lists each type contiguously in order of time, like phones', async () => {
    const { xml } = await generate({ ...light, days: 5 });
    const records = [...xml.matchAll(/^ <Record type="([^"]+)".*? startDate="([^"]+)"/gm)];
    const seen = new Map<string, string>();
    let last = '';
    for (const [, type, start] of records) {
      if (type !== last) expect(seen.has(type!)).toBe(false);
      if (type === 'HKQuantityTypeIdentifierHeartRate' && type === last) expect(start! >= seen.get(type)!).toBe(true);
      seen.set(type!, start!);
      last = type!;
    }
    expect(records.length).toBeGreaterThan(500);
  });

  it('counts fewer steps on the phone than on the watch', async () => {
    const { truth } = await generate(light);
    const steps = (device: 'watch' | 'phone') =>
      Object.values(truth.days).reduce((sum, day) => sum + (day[device]?.steps ?? 0), 0);
    expect(steps('phone')).toBeGreaterThan(steps('watch') * 0.3);
    expect(steps('phone')).toBeLessThan(steps('watch') * 0.9);
  });

  it('generates plausible steps, pulse, energy and sleep', async () => {
    const { truth } = await generate({ ...light, days: 120 });
    const watch = Object.values(truth.days).map((day) => day.watch!);
    const mean = (pick: (day: (typeof watch)[number]) => number) =>
      watch.reduce((sum, day) => sum + pick(day), 0) / watch.length;
    expect(mean((day) => day.steps)).toBeGreaterThan(6000);
    expect(mean((day) => day.steps)).toBeLessThan(11_000);
    expect(mean((day) => day.activeKcal)).toBeGreaterThan(400);
    expect(mean((day) => day.activeKcal)).toBeLessThan(900);
    expect(mean((day) => day.basalKcal)).toBeCloseTo(1526, -2);
    expect(Math.min(...watch.map((day) => day.heartRate!.min))).toBeGreaterThan(40);
    expect(Math.max(...watch.map((day) => day.heartRate!.max))).toBeLessThan(190);
    for (const night of truth.nights.filter((one) => one.device === 'watch')) {
      const asleep = (night.lightSeconds + night.deepSeconds + night.remSeconds) / SECONDS_PER_HOUR;
      expect(asleep).toBeGreaterThan(5.5);
      expect(asleep).toBeLessThan(10.5);
    }
  });
});

describe('the calendar of the generator', () => {
  it('contains a 23-hour day in spring and a 25-hour day in autumn', () => {
    const warsaw = new Calendar('Europe/Warsaw');
    const hours = (date: string) => {
      const day = warsaw.day(date);
      return (day.endMs - day.startMs) / MS_PER_HOUR;
    };
    expect([hours('2026-03-28'), hours('2026-03-29'), hours('2026-10-25')]).toEqual([24, 23, 25]);
  });

  it.each([
    ['Europe/Warsaw', '2026-03-29 01:59:59 +0100', '2026-03-29 03:00:00 +0200'],
    ['America/St_Johns', '2026-03-08 01:59:59 -0330', '2026-03-08 03:00:00 -0230'],
  ])('writes the clock change in %s like the phone', (zone, before, after) => {
    const calendar = new Calendar(zone);
    const change = Date.parse(after.replace(' ', 'T').replace(' ', ''));
    expect([calendar.text(change - 1000), calendar.text(change)]).toEqual([before, after]);
  });
});

async function generate(options: GenerateOptions) {
  const { chunks, truth } = generateExport(options);
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const bytes = Buffer.concat(parts);
  return { truth, xml: bytes.toString('utf8'), hash: createHash('sha256').update(bytes).digest('hex') };
}
