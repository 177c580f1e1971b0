import { MS_PER_HOUR } from '@healthd/model';
import { PROVIDERS } from '@healthd/providers';
import { expect, test } from 'vitest';
import { logStartupWarnings, type StartupWarningsOptions } from './startup-warnings.js';

/** Returns the startup log lines with their levels. */
function noticesOf(given: Partial<StartupWarningsOptions>): string[] {
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

test('names the missing setting if SECRET_KEY serves as webhook secret', () => {
  expect(noticesOf({ defaultSecrets: ['google'] })).toEqual([
    expect.stringMatching(/^warn .*CLOUDHEALTH_WEBHOOK_SECRET is not set/),
  ]);
});

test('logs that a new connection fetches history', () => {
  expect(noticesOf({ historicalSyncOnConnect: true })).toEqual([
    expect.stringMatching(/^info .*HISTORICAL_SYNC_ON_CONNECT is true/),
  ]);
});

test('logs that the lookback is disabled', () => {
  expect(noticesOf({ lookbackMs: undefined })).toEqual([expect.stringMatching(/^info .*PULL_SYNC_LOOKBACK is off/)]);
});

test('logs nothing if no cloud is configured', () => {
  const all = { defaultSecrets: ['google'], historicalSyncOnConnect: true, lookbackMs: undefined } as const;
  expect(noticesOf({ ...all, isConfigured: () => false })).toEqual([]);
});

test('logs a missing webhook token as an error', () => {
  const isConfigured = (provider: string) => provider === 'garmin';
  expect(noticesOf({ isConfigured })).toEqual([expect.stringMatching(/^error .*503: GARMIN_WEBHOOK_TOKEN is not set/)]);
  expect(noticesOf({ isConfigured, settingValueOf: () => 'a token' })).toEqual([]);
});
