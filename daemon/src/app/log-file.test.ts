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

test('a log file goes on where an earlier run has ended, and only its owner may read it', () => {
  createLogFile(path).write('first\n');
  createLogFile(path).write('second\n');
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a full log file is renamed and replaces the one before it', () => {
  const file = createLogFile(path, 10);
  for (const line of ['aaaa\n', 'bbbb\n', 'cccc\n', 'dddd\n', 'eeee\n']) file.write(line);
  expect(readdirSync(folder).sort()).toEqual(['healthd.log', 'healthd.log.1']);
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('cccc\ndddd\n');
  expect(readFileSync(path, 'utf8')).toBe('eeee\n');
});

test('a log file that cannot be written stops no one, and is written as soon as it can be', () => {
  const file = createLogFile(join(folder, 'later', 'healthd.log'));
  file.write('lost\n');
  expect(readdirSync(folder)).toEqual([]);
  const other = createLogFile(path);
  other.write('kept\n');
  expect(readFileSync(path, 'utf8')).toBe('kept\n');
});
