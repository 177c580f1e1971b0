import { expect, test } from 'vitest';
import { bytesText, durationText } from './amounts.js';
import { ProgressBar } from './progress-bar.js';

function bar(animate: boolean) {
  let nowMs = 0;
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const progress = new ProgressBar({ label: 'Uploading', animate, color: false, write, now: () => nowMs });
  return {
    at(ms: number, done: number) {
      nowMs = ms;
      text = '';
      progress.update(done, 100, `${done} of 100`, (rate) => `${rate}/s`);
      return text;
    },
  };
}

test('shows percentage, rate and remaining time', () => {
  const { at } = bar(true);
  at(0, 0);
  const line = at(1000, 20);
  expect(line).toContain(' 20 %');
  expect(line).toContain('20/s');
  expect(line).toContain('4.0 s left');
});

test('limits redraws to ten per second, except at the end', () => {
  const { at } = bar(true);
  at(0, 0);
  expect(at(50, 5)).toBe('');
  expect(at(60, 100)).toContain('100 %');
});

test('prints no progress bar if lines cannot be redrawn', () => {
  expect(bar(false).at(1000, 50)).toBe('');
});

test('formats byte counts and durations', () => {
  expect([0, 999, 1000, 12_345_678, 999_960].map(bytesText)).toEqual(['0 B', '999 B', '1.0 kB', '12.3 MB', '1.0 MB']);
  expect([0.04, 9.96, 42, 185, 7805].map(durationText)).toEqual([
    '0.0 s',
    '10.0 s',
    '42 s',
    '3 min 05 s',
    '2 h 10 min',
  ]);
});
