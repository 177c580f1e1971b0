import { expect, it } from 'vitest';
import { ZoneOffsets } from './zone-offset.js';

it("returns a zone's offset at an instant", () => {
  const zones = new ZoneOffsets();
  expect(zones.at('Europe/Warsaw', Date.UTC(2024, 2, 31, 0, 59))).toBe(60);
  expect(zones.at('Europe/Warsaw', Date.UTC(2024, 2, 31, 1, 0))).toBe(120);
  expect(zones.at('America/St_Johns', Date.UTC(2024, 0, 1))).toBe(-210);
  expect(zones.at('Pacific/Kiritimati', Date.UTC(2024, 0, 1))).toBe(840);
  expect(zones.at('GMT', Date.UTC(2024, 0, 1))).toBe(0);
  expect(zones.at('Middle/Earth', Date.UTC(2024, 0, 1))).toBeUndefined();
  expect(zones.at('Europe/Warsaw', Number.NaN)).toBeUndefined();
});
