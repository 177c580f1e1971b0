import { describe, expect, it } from 'vitest';
import { formatRecorded, zonesText } from './record-zone.js';
import { readersZone } from './zone.js';

const own = (offset: string) => ({ zone_offset: offset, local_offset: offset });
const assumed = (offset: string) => ({ zone_offset: null, local_offset: offset });

describe('local time of a record', () => {
  it('shows a record at the offset that determines its date', () => {
    expect(formatRecorded('2026-03-14T23:30:00Z', own('-08:00'))).toBe('2026-03-14 15:30');
    expect(formatRecorded('2026-01-10T18:00:00Z', assumed('+13:00'))).toBe('2026-01-11 07:00');
  });
});

describe('time zone note of a page', () => {
  const reader = readersZone();

  it('names assumed and recorded offsets separately', () => {
    expect(zonesText([own('+01:00'), assumed('+13:00')])).toBe(
      `times at UTC+01:00, times without a recorded offset at UTC+13:00, you are in ${reader}`,
    );
    expect(zonesText([assumed('+13:00')])).toBe(`times without a recorded offset at UTC+13:00, you are in ${reader}`);
  });

  it('names summer and winter offsets but no travel offsets', () => {
    expect(zonesText([own('+01:00'), own('+02:00')])).toBe(`times at UTC+01:00 and at UTC+02:00, you are in ${reader}`);
    expect(zonesText([own('+01:00'), own('+02:00'), own('-05:00')])).toBe(
      `times in the person’s local time, you are in ${reader}`,
    );
  });
});
