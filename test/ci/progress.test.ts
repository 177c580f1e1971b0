import { expect, test } from 'vitest';
import { withProgress } from '../../scripts/checkout.mjs';
import { newestScores } from '../../scripts/demo-vendors.mjs';

test('prints progress lines until slow work ends', async () => {
  const lines: string[] = [];
  let end: (value: string) => void = () => undefined;
  const work = () => new Promise<string>((done) => (end = done));
  const tell = (line: string) => {
    lines.push(line);
    if (lines.length === 3) end('built');
  };
  expect(await withProgress('Still building', work, { everyMs: 1, tell })).toBe('built');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/^ {2}Still building \(\d+ s\) …$/);
});

test('rethrows the error of failing work', async () => {
  const failed = withProgress('Still building', () => Promise.reject(new Error('no room')), { everyMs: 1 });
  await expect(failed).rejects.toThrow('no room');
});

test('shows the newest score of each provider and category', () => {
  const score = (provider: string, category: string, recorded_at: string) => ({ provider, category, recorded_at });
  const newest = score('garmin', 'stress', '2026-11-22T10:00:00Z');
  const scores = [
    score('garmin', 'stress', '2026-11-22T09:00:00Z'),
    newest,
    score('garmin', 'stress', '2026-11-21T23:00:00Z'),
    score('whoop', 'recovery', '2026-11-21T06:00:00Z'),
    score('garmin', 'sleep', '2026-11-21T06:00:00Z'),
  ];
  expect(newestScores(scores)).toEqual([scores[4], newest, scores[3]]);
});
