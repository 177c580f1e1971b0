import { describe, expect, it } from 'vitest';
import { formatRecorded, NONE_BESIDE, zonesOfRecords, zonesText } from './record-zone.js';
import { readersZone } from './zone.js';

const AUCKLAND = 'Pacific/Auckland';
const record = (instant: string, offset: string | null = null) => ({ instant, offset });

describe('The zone of a record', () => {
  it('A record is shown at its own offset, wherever the person lives', () => {
    const zoneOf = zonesOfRecords(AUCKLAND, [record('2026-03-14T08:00:00Z', '+02:00')]);
    expect(formatRecorded(record('2026-03-14T23:30:00Z', '-08:00'), zoneOf)).toBe('2026-03-14 15:30');
  });

  it('A record without an offset is shown in the person\u2019s zone, in its summer and its winter', () => {
    const zoneOf = zonesOfRecords(AUCKLAND, NONE_BESIDE);
    expect(formatRecorded(record('2026-01-10T18:00:00Z'), zoneOf)).toBe('2026-01-11 07:00');
    expect(formatRecorded(record('2026-07-10T18:00:00Z'), zoneOf)).toBe('2026-07-11 06:00');
  });

  it('An offset that was seen within 36 hours counts before the person\u2019s zone, one seen further away does not', () => {
    const zoneOf = zonesOfRecords(AUCKLAND, [record('2026-03-14T08:00:00Z', '+02:00')]);
    expect(zoneOf(record('2026-03-15T20:00:00Z'))).toBe('+02:00');
    expect(zoneOf(record('2026-03-12T20:00:00Z'))).toBe('+02:00');
    expect(zoneOf(record('2026-03-15T20:00:01Z'))).toBe(AUCKLAND);
  });

  it('Of two offsets that were seen equally near the later one counts', () => {
    const seen = [record('2026-03-14T12:00:00Z', '+01:00'), record('2026-03-14T10:00:00Z', '+02:00')];
    expect(zonesOfRecords(undefined, seen)(record('2026-03-14T11:00:00Z'))).toBe('+01:00');
    expect(zonesOfRecords(undefined, seen.reverse())(record('2026-03-14T11:00:00Z'))).toBe('+01:00');
  });

  it('Without a zone of the person the offset seen nearest counts however far away, and without any it is UTC', () => {
    const seen = [record('2026-01-14T08:00:00Z', '+05:30'), record('2026-06-14T08:00:00Z', '+02:00')];
    expect(zonesOfRecords(undefined, seen)(record('2026-03-01T08:00:00Z'))).toBe('+05:30');
    expect(zonesOfRecords(undefined, [record('2026-03-01T08:00:00Z')])(record('2026-03-01T08:00:00Z'))).toBe('UTC');
  });
});

describe('What a page says of the zones of its records', () => {
  const reader = readersZone();
  const zoneOf = zonesOfRecords(AUCKLAND, NONE_BESIDE);
  const [own, other] = [record('2026-03-14T08:00:00Z', '+01:00'), record('2026-04-14T08:00:00Z', '+02:00')];

  it('The zone that was assumed is named apart from the offsets that were recorded', () => {
    expect(zonesText([own, record('2026-03-20T08:00:00Z')], zoneOf)).toBe(
      `times at UTC+01:00, those recorded without an offset in ${AUCKLAND}, you are in ${reader}`,
    );
    expect(zonesText([record('2026-03-20T08:00:00Z')], zoneOf)).toBe(
      `recorded without an offset: times in ${AUCKLAND}, you are in ${reader}`,
    );
  });

  it('Summer and winter are both named, the places of a journey are not', () => {
    expect(zonesText([own, other], zoneOf)).toBe(`times at UTC+01:00 and at UTC+02:00, you are in ${reader}`);
    expect(zonesText([own, other, record('2026-05-14T08:00:00Z', '-05:00')], zoneOf)).toBe(
      `times at the offset of where the person was, you are in ${reader}`,
    );
  });
});
