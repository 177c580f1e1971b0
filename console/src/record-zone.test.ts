import { describe, expect, it } from 'vitest';
import { formatRecorded, zonesText } from './record-zone.js';
import { readersZone } from './zone.js';

const own = (offset: string) => ({ zone_offset: offset, local_offset: offset });
const assumed = (offset: string) => ({ zone_offset: null, local_offset: offset });

describe('The clock of a record', () => {
  it('A record is shown at the offset at which the service dates it, its own one or not', () => {
    expect(formatRecorded('2026-03-14T23:30:00Z', own('-08:00'))).toBe('2026-03-14 15:30');
    expect(formatRecorded('2026-01-10T18:00:00Z', assumed('+13:00'))).toBe('2026-01-11 07:00');
  });
});

describe('What a page says of the zones of its records', () => {
  const reader = readersZone();

  it('The offset that was assumed is named apart from the offsets that were recorded', () => {
    expect(zonesText([own('+01:00'), assumed('+13:00')])).toBe(
      `times at UTC+01:00, those recorded without an offset at UTC+13:00, you are in ${reader}`,
    );
    expect(zonesText([assumed('+13:00')])).toBe(`recorded without an offset: times at UTC+13:00, you are in ${reader}`);
  });

  it('Summer and winter are both named, the places of a journey are not', () => {
    expect(zonesText([own('+01:00'), own('+02:00')])).toBe(`times at UTC+01:00 and at UTC+02:00, you are in ${reader}`);
    expect(zonesText([own('+01:00'), own('+02:00'), own('-05:00')])).toBe(
      `times at the offset of where the person was, you are in ${reader}`,
    );
  });
});
