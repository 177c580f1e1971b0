import { expect, it } from 'vitest';
import { sourceOf } from './source.js';

it.each([
  [
    { platform: 'FITBIT', device: { formFactor: 'WATCH', manufacturer: 'Example Corp', displayName: 'Watch Lyra' } },
    { writer: 'google_health_api', deviceModel: 'Watch Lyra', deviceType: 'watch', originalSourceName: 'FITBIT' },
  ],
  [
    {
      platform: 'HEALTH_CONNECT',
      application: { packageName: 'com.example.pedometer' },
      device: { manufacturer: 'acme', formFactor: 'PHONE' },
    },
    {
      writer: 'google_health_api/com.example.pedometer',
      deviceModel: 'acme phone',
      deviceType: 'phone',
      originalSourceName: 'com.example.pedometer',
    },
  ],
  [
    { platform: 'FITBIT', device: { displayName: 'Charge 6' } },
    { writer: 'google_health_api', deviceModel: 'Charge 6', deviceType: 'band', originalSourceName: 'FITBIT' },
  ],
  [
    { platform: 'FITBIT', recordingMethod: 'MANUAL' },
    { writer: 'google_health_api', deviceModel: 'FITBIT', deviceType: 'unknown', originalSourceName: 'FITBIT' },
  ],
  [
    { platform: 'OF_THE_FUTURE', device: { formFactor: 'IMPLANT', displayName: 'Chip' } },
    { writer: 'google_health_api', deviceModel: 'Chip', deviceType: 'unknown', originalSourceName: 'OF_THE_FUTURE' },
  ],
  [undefined, { writer: 'google_health_api', deviceType: 'unknown' }],
])('%j is the source %j', (dataSource, source) => {
  expect(sourceOf(dataSource)).toEqual({ provider: 'google', ...source });
});
