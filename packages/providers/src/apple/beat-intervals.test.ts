import { describe, expect, it } from 'vitest';
import { readElements, record } from './testing/read-elements.js';

const SDNN = 'HKQuantityTypeIdentifierHeartRateVariabilitySDNN';

type TimeForm = (time: { hour: number; minute: string; second: string; hundredths: string }) => string;
const GERMAN: TimeForm = ({ hour, minute, second, hundredths }) =>
  `${String(hour).padStart(2, '0')}:${minute}:${second},${hundredths}`;

/** Returns a list whose beats follow each other in these intervals. `skipped` beats are missing. */
function beatList(
  intervals: readonly number[],
  { from = 8 * 3_600_000, form = GERMAN, skipped = [] as readonly number[] } = {},
): string {
  let at = from;
  const beats = [1000, ...intervals].map((interval) => {
    at += interval;
    const pad = (number: number) => String(number).padStart(2, '0');
    const second = Math.floor(at / 1000);
    const time = form({
      hour: Math.floor(second / 3600) % 24,
      minute: pad(Math.floor(second / 60) % 60),
      second: pad(second % 60),
      hundredths: pad(Math.floor((at % 1000) / 10)),
    });
    return `<InstantaneousBeatsPerMinute bpm="${Math.round(60_000 / interval)}" time="${time}"/>`;
  });
  const written = beats.filter((_, index) => !skipped.includes(index));
  return `<HeartRateVariabilityMetadataList>${written.join('\n')}</HeartRateVariabilityMetadataList>`;
}

/** Intervals whose successive differences are 50 ms. */
const ALTERNATING = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 800 : 850));

async function valuesOf(inside: string, type = SDNN, unit = 'ms') {
  return (await readElements(record(type, unit, 42, undefined, inside))).values;
}

describe('RMSSD of an exported heartbeat list', () => {
  it.each<[string, TimeForm]>([
    ['24 hours and a comma', GERMAN],
    [
      'PM after a narrow space',
      ({ hour, minute, second, hundredths }) => `${hour}:${minute}:${second}.${hundredths}\u202fPM`,
    ],
    [
      'the half of the day before the time',
      ({ hour, minute, second, hundredths }) => `下午${hour}:${minute}:${second}.${hundredths}`,
    ],
    ['points only', ({ hour, minute, second, hundredths }) => `${hour}.${minute}.${second}.${hundredths}`],
  ])('reads times with %s', async (_, form) => {
    expect(await valuesOf(beatList(ALTERNATING, { form }))).toEqual([
      ['heart_rate_variability_sdnn', 42],
      ['heart_rate_variability_rmssd', 50],
    ]);
  });

  it('has the source, time and offset of the variability sample', async () => {
    const { samples } = await readElements(record(SDNN, 'ms', 42, undefined, beatList(ALTERNATING)));
    const [sdnn, rmssd] = samples;
    expect(rmssd).toEqual({ ...sdnn, typeId: rmssd?.typeId, value: 50 });
  });

  it.each([11.999, 23.999])('continues across noon and midnight (%d h)', async (hour) => {
    const list = beatList(ALTERNATING, { from: Math.round(hour * 360_000) * 10 });
    expect(await valuesOf(list)).toContainEqual(['heart_rate_variability_rmssd', 50]);
  });

  it('does not count the interval around a missed beat', async () => {
    const list = beatList(ALTERNATING, { skipped: [15] });
    expect(await valuesOf(list)).toContainEqual(['heart_rate_variability_rmssd', 50]);
  });

  it('is within 10 % of the value of exact intervals', async () => {
    const exact = Array.from({ length: 60 }, (_, at) => 930 + 60 * Math.sin(at / 0.9));
    const squares = exact.slice(1).map((interval, at) => (interval - (exact[at] as number)) ** 2);
    const truth = Math.sqrt(squares.reduce((sum, square) => sum + square) / squares.length);
    const [, computed] = await valuesOf(beatList(exact));
    expect(Math.abs((computed?.[1] ?? 0) - truth)).toBeLessThan(0.1 * truth);
  });

  it.each([
    ['too few beats', beatList(ALTERNATING.slice(0, 15))],
    ['more than 1,001 beats', beatList(new Array(1_001).fill(800))],
    [
      'times without fractions',
      beatList(ALTERNATING, { form: ({ hour, minute, second }) => `${hour}:${minute}:${second}` }),
    ],
    ['rates that contradict the times', beatList(ALTERNATING).replaceAll(/bpm="\d+"/g, 'bpm="120"')],
    ['no beats', '<HeartRateVariabilityMetadataList/>'],
    ['beats outside a list', '<InstantaneousBeatsPerMinute bpm="60" time="8:00:00.00"/>'.repeat(40)],
  ])('is missing for a list with %s', async (_, inside) => {
    expect(await valuesOf(inside)).toEqual([['heart_rate_variability_sdnn', 42]]);
  });

  it('is computed only for variability samples', async () => {
    const values = await valuesOf(beatList(ALTERNATING), 'HKQuantityTypeIdentifierHeartRate', 'count/min');
    expect(values).toEqual([['heart_rate', 42]]);
  });

  it('stays in the batch of its sample when the batch is full', async () => {
    const one = record(SDNN, 'ms', 42, undefined, beatList(ALTERNATING));
    const { batches, samples } = await readElements(one.repeat(3), { batchSamples: 1 });
    expect([batches, samples.length]).toEqual([3, 6]);
  });
});
