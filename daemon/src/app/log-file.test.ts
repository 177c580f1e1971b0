import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogFile } from './log-file.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'healthd-log-file-'));
  path = join(folder, 'healthd.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('appends to an existing log file with owner-only access', () => {
  createLogFile(path).write('first\n');
  createLogFile(path).write('second\n');
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('replaces the previous log file when the current file is full', () => {
  const file = createLogFile(path, 10);
  for (const line of ['aaaa\n', 'bbbb\n', 'cccc\n', 'dddd\n', 'eeee\n']) file.write(line);
  expect(readdirSync(folder).sort()).toEqual(['healthd.log', 'healthd.log.1']);
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('cccc\ndddd\n');
  expect(readFileSync(path, 'utf8')).toBe('eeee\n');
});

test('drops lines without an error if the log folder is missing', () => {
  const file = createLogFile(join(folder, 'later', 'healthd.log'));
  file.write('lost\n');
  expect(readdirSync(folder)).toEqual([]);
  const other = createLogFile(path);
  other.write('kept\n');
  expect(readFileSync(path, 'utf8')).toBe('kept\n');
});
