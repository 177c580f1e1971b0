import { expect, test } from 'vitest';
import { APPLE_FILE } from './file.js';

const { judgeHead: checkHead } = APPLE_FILE.accepts;

test('accepts XML, gzip, zip, and text after a byte order mark', () => {
  for (const head of ['<?xml version="1.0"?>', '\ufeff \n<HealthData>', 'PK\u0003\u0004']) {
    expect(checkHead(Buffer.from(head))).toBe('possible');
  }
  expect(checkHead(Uint8Array.of(0x1f, 0x8b, 8, 0))).toBe('possible');
});

test('rejects a photo', () => {
  expect(checkHead(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16))).toBe('impossible');
});

test('remains undecided while reading whitespace, up to a maximum', () => {
  expect(checkHead(Buffer.from('<x'))).toBe('undecided');
  expect(checkHead(Buffer.alloc(100, ' '))).toBe('undecided');
  expect(checkHead(Buffer.alloc(2000, ' '))).toBe('impossible');
});
