import { describe, expect, it } from 'vitest';
import { parseInstant } from './instant.js';

const at = (text: string) => {
  const instant = parseInstant(text);
  return instant && [new Date(instant.ms).toISOString(), instant.offsetMinutes];
};

describe('dates of the export', () => {
  it('parses a date with its offset', () => {
    expect(at('2024-03-31 08:05:09 +0200')).toEqual(['2024-03-31T06:05:09.000Z', 120]);
    expect(at('2024-01-01 00:00:00 -0330')).toEqual(['2024-01-01T03:30:00.000Z', -210]);
    expect(at('2024-02-29 23:59:59 +1400')).toEqual(['2024-02-29T09:59:59.000Z', 840]);
    expect(at('1969-12-31 23:00:00 +0000')).toEqual(['1969-12-31T23:00:00.000Z', 0]);
  });

  it('parses the compact date format of iOS 8', () => {
    expect(at('20141005123456-0700')).toEqual(['2014-10-05T19:34:56.000Z', -420]);
  });

  it.each([
    '',
    '2024-02-30 10:00:00 +0000',
    '2023-02-29 10:00:00 +0000',
    '2024-13-01 10:00:00 +0000',
    '2024-00-10 10:00:00 +0000',
    '2024-01-01 24:00:00 +0000',
    '2024-01-01 10:60:00 +0000',
    '2024-01-01 10:00:00 +1960',
    '2024-01-01 10:00:00 00000',
    '2024-01-01T10:00:00 +0000',
    '2024-01-01 10:00:00',
    '2o24-01-01 10:00:00 +0000',
    '20141005123456+07:0',
  ])('rejects %j as a date', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
