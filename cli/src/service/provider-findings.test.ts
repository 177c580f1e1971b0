import type { ProviderSettingResponse } from '@healthd/schemas';
import { expect, test } from 'vitest';
import { deliveryFinding } from './provider-findings.js';

const GARMIN: ProviderSettingResponse = {
  provider: 'garmin',
  name: 'Garmin',
  has_cloud_api: true,
  is_enabled: true,
  icon_url: '/static/provider-icons/garmin.svg',
  live_sync_mode: 'webhook',
  live_sync_configurable: false,
  data_granularity: null,
  is_configured: true,
  subscriber_state: null,
  subscriber_error: null,
};

test('reports no problem for a vendor that only pushes', () => {
  expect(deliveryFinding(GARMIN)).toMatchObject({
    state: 'ok',
    found: 'garmin sends the data to the URLs that are entered at the vendor',
  });
});

test.each([
  ['registering', null, 'registering'],
  ['failed', 'verification_failed', 'failed (verification_failed)'],
  [null, null, 'unknown'],
] as const)('warns about a vendor in webhook mode with the subscriber state %s', (state, error, said) => {
  const setting = {
    ...GARMIN,
    provider: 'oura',
    live_sync_configurable: true,
    subscriber_state: state,
    subscriber_error: error,
  };
  expect(deliveryFinding(setting)).toMatchObject({
    state: 'warning',
    found: `oura is in webhook mode, but its subscriber is ${said}; the service polls the vendor until the subscriber is active`,
  });
});
