import { describe, expect, test } from 'vitest';
import { attributionOfRow } from './attribution.js';

const ATTRIBUTION = [
  { provider: 'garmin', text: 'Garmin' },
  { provider: 'strava', text: 'Powered by Strava' },
];
const from = (provider: string) => ({
  provider,
  source: null,
  device: null,
  device_type: null,
  device_name: null,
});

describe('the attribution of a row', () => {
  test('names the vendor of its source', () => {
    expect(attributionOfRow({ source: from('garmin') }, ATTRIBUTION)).toBe('Garmin');
  });

  test('names each vendor of its groups once', () => {
    const row = { source: from('garmin'), sources: { sleep: from('garmin'), hrv: from('strava'), naps: null } };
    expect(attributionOfRow(row, ATTRIBUTION)).toBe('Garmin; Powered by Strava');
  });

  test('names the provider of a score', () => {
    expect(attributionOfRow({ provider: 'strava' }, ATTRIBUTION)).toBe('Powered by Strava');
  });

  test('is empty if the source requires no attribution', () => {
    expect(attributionOfRow({ source: from('apple') }, ATTRIBUTION)).toBeUndefined();
    expect(attributionOfRow({ source: from('garmin') }, undefined)).toBeUndefined();
  });
});
