import { MS_PER_HOUR } from '@healthd/model';
import { PROVIDERS } from '@healthd/providers';
import { expect, test } from 'vitest';
import { logStartupWarnings, type StartNoticesOptions } from './startup-warnings.js';

/** What is said at start, by level. */
function noticesOf(given: Partial<StartNoticesOptions>): string[] {
  const lines: string[] = [];
  const say = (level: string) => (_fields: object, message?: string) => void lines.push(`${level} ${message}`);
  logStartupWarnings({
    log: { error: say('error'), warn: say('warn'), info: say('info') },
    providers: PROVIDERS,
    isConfigured: (provider) => provider === 'google',
    defaultSecrets: [],
    historicalSyncOnConnect: false,
    lookbackMs: MS_PER_HOUR,
    settingValueOf: () => undefined,
    webhookAddress: (provider) => `https://health.example.org/${provider}`,
    ...given,
  });
  return lines;
}

test('a webhook secret that is SECRET_KEY itself is warned of by the name of the setting', () => {
  expect(noticesOf({ defaultSecrets: ['google'] })).toEqual([
    expect.stringMatching(/^warn .*CLOUDHEALTH_WEBHOOK_SECRET is unset/),
  ]);
});

test('a backfill with the first connection is announced to end one day', () => {
  expect(noticesOf({ historicalSyncOnConnect: true })).toEqual([
    expect.stringMatching(/^info .*HISTORICAL_SYNC_ON_CONNECT is true/),
  ]);
});

test('a lookback that is off is said', () => {
  expect(noticesOf({ lookbackMs: undefined })).toEqual([expect.stringMatching(/^info .*PULL_SYNC_LOOKBACK is off/)]);
});

test('nothing is said while no cloud is set up', () => {
  const all = { defaultSecrets: ['google'], historicalSyncOnConnect: true, lookbackMs: undefined } as const;
  expect(noticesOf({ ...all, isConfigured: () => false })).toEqual([]);
});

test('reports the missing token of a vendor that delivers as an error', () => {
  const isConfigured = (provider: string) => provider === 'garmin';
  expect(noticesOf({ isConfigured })).toEqual([expect.stringMatching(/^error .*503: GARMIN_WEBHOOK_TOKEN is unset/)]);
  expect(noticesOf({ isConfigured, settingValueOf: () => 'a token' })).toEqual([]);
});
