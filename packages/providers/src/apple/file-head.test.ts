import { expect, test } from 'vitest';
import { APPLE_FILE } from './file.js';

const { judgeHead } = APPLE_FILE.accepts;

test('XML, gzip and zip can be an export, and so can text that follows a byte order mark and blanks', () => {
  for (const head of ['<?xml version="1.0"?>', '\ufeff \n<HealthData>', 'PK\u0003\u0004']) {
    expect(judgeHead(Buffer.from(head))).toBe('possible');
  }
  expect(judgeHead(Uint8Array.of(0x1f, 0x8b, 8, 0))).toBe('possible');
});

test('a photo cannot be an export', () => {
  expect(judgeHead(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16))).toBe('impossible');
});

test('blanks alone decide nothing until there are more than any file begins with', () => {
  expect(judgeHead(Buffer.from('<x'))).toBe('undecided');
  expect(judgeHead(Buffer.alloc(100, ' '))).toBe('undecided');
  expect(judgeHead(Buffer.alloc(2000, ' '))).toBe('impossible');
});
