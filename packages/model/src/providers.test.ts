import { describe, expect, it } from 'vitest';
import { isProviderId, PROVIDER_IDS, PROVIDER_NAMES, providerFromText } from './providers.js';

describe('providers', () => {
  it('recognizes exact provider IDs, but not "unknown" or "internal"', () => {
    expect(isProviderId('garmin')).toBe(true);
    expect(isProviderId('Garmin')).toBe(false);
    expect(isProviderId('unknown')).toBe(false);
    expect(isProviderId('internal')).toBe(false);
  });

  it.each([
    ['apple_health_xml', 'apple'],
    ['Samsung Health', 'samsung'],
    ['com.GARMIN.android', 'garmin'],
    ['Zepp Life', 'unknown'],
    ['', 'unknown'],
  ])('maps the text "%s" to the provider %s', (text, expected) => {
    expect(providerFromText(text)).toBe(expected);
  });

  it('gives each provider a distinct name', () => {
    expect(new Set(PROVIDER_IDS.map((id) => PROVIDER_NAMES[id])).size).toBe(PROVIDER_IDS.length);
  });
});
