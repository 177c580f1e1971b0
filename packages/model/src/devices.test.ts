import { describe, expect, it } from 'vitest';
import { APPLE_DEVICES } from './apple-devices.js';
import type { DeviceType } from './device-types.js';
import { deviceName, deviceType } from './devices.js';
import { SAMSUNG_DEVICES } from './samsung-devices.js';

describe('the device type of a model', () => {
  it.each<[string, DeviceType]>([
    ['Watch6,2', 'watch'],
    ['Watch99,1', 'watch'],
    ['Watch', 'watch'],
    ['iPhone15,2', 'phone'],
    ['iPhone', 'phone'],
    ['iPad8,1', 'phone'],
    ['iPod9,1', 'phone'],
    ['SM-R940NZKAXXX', 'watch'],
    ['SM-L705F', 'watch'],
    ['SM-R390', 'band'],
    ['SM-R220NZKA', 'band'],
    ['SM-R375', 'band'],
    ['SM-Q510', 'ring'],
    ['SM-S901U1', 'phone'],
    ['sm-a546b', 'phone'],
    ['Google Pixel Watch 2', 'watch'],
    ['Pixel Watch', 'watch'],
    ['Pixel 8 Pro', 'phone'],
    ['Garmin fenix 7', 'watch'],
    ['fēnix® 7X Pro', 'watch'],
    ['Fēnix™ 8', 'watch'],
    ['fe\u0304nix 6', 'watch'],
    ['vívoactive 5', 'watch'],
    ['vívosmart 5', 'band'],
    ['Forerunner 265', 'watch'],
    ['Forerunner265', 'watch'],
    ['Fitbit Versa 4', 'watch'],
    ['Fitbit Sense 2', 'watch'],
    ['Charge 6', 'band'],
    ['Inspire 3', 'band'],
    ['Polar Vantage V3', 'watch'],
    ['Polar M600', 'watch'],
    ['Polar Model Of Tomorrow', 'watch'],
    ['Polar OH1', 'other'],
    ['Polaroid Scale', 'scale'],
    ['Polaroid', 'other'],
    ['Polar Grit X2 Pro', 'watch'],
    ['Polar Grit X Pro', 'watch'],
    ['Polar H10', 'other'],
    ['Polar Verity Sense', 'other'],
    ['Edge 1040', 'other'],
    ['HRM-Pro Plus', 'other'],
    ['COROS PACE 3', 'watch'],
    ['Suunto Race S', 'watch'],
    ['Amazfit T-Rex 3', 'watch'],
    ['Amazfit Band 7', 'band'],
    ['WHOOP 4.0', 'band'],
    ['Oura Ring Gen3', 'ring'],
    ['Ultrahuman Ring AIR', 'ring'],
    ['Withings Body+', 'scale'],
    ['Garmin Index S2', 'scale'],
    ['Mi Smart Scale 2', 'scale'],
    ['Bathroom Scales', 'scale'],
    ['QardioBase 2', 'scale'],
    ['Eufy Smart Scale P2', 'scale'],
    ['AirPods Pro', 'other'],
    ['AirPodsPro1,1', 'other'],
    ['0x200e', 'other'],
    ['ScanWatch 2', 'watch'],
    ['CPH2411', 'other'],
  ])('classifies the model %s as %s', (model, type) => {
    expect(deviceType({ model })).toBe(type);
  });

  it.each(['Remote Monitoring Kit', 'Trace One', 'Racer X', 'Steadystring 4', 'Unitech HT730', 'Microphone'])(
    'ignores a device type inside a longer word: %s',
    (model) => {
      expect(deviceType({ model })).toBe('other');
    },
  );
});

describe('device type declared by the payload', () => {
  it('prefers the declared device type over the model', () => {
    expect(deviceType({ declared: 'watch', model: 'iPhone15,2' })).toBe('watch');
    expect(deviceType({ declared: ' RING ', model: 'X' })).toBe('ring');
  });

  it.each(['unknown', '', 'tablet'])('ignores the declared device type "%s"', (declared) => {
    expect(deviceType({ declared, model: 'iPhone15,2' })).toBe('phone');
  });
});

describe('without a model', () => {
  it.each<[string, DeviceType]>([
    ['Anna’s Apple Watch', 'watch'],
    ['AutoSleep', 'watch'],
    ['Connect', 'watch'],
    ['Garmin Connect', 'watch'],
    ['Mi Band', 'band'],
    ['Xiaomi Home', 'band'],
    ['Amazfit Band 5', 'band'],
    ['WHOOP', 'band'],
    ['Oura', 'ring'],
    ['Jo’s iPhone', 'phone'],
    ['Anna’s AirPods Pro', 'other'],
    ['AirPods Max', 'other'],
    ['RENPHO', 'scale'],
    ['My Bathroom Scales', 'scale'],
    ['Fitdays', 'scale'],
    ['Beats Music', 'unknown'],
    ['Health Connect', 'unknown'],
    ['Pacer', 'unknown'],
    ['Strava', 'unknown'],
  ])('the writer "%s" implies the device type %s', (sourceName, type) => {
    expect(deviceType({ sourceName, provider: 'apple' })).toBe(type);
  });

  it.each([
    ['whoop', 'band'],
    ['oura', 'ring'],
    ['ultrahuman', 'ring'],
    ['garmin', 'watch'],
    ['polar', 'watch'],
    ['suunto', 'watch'],
    ['strava', 'other'],
    ['apple', 'unknown'],
    ['samsung', 'unknown'],
    ['google', 'unknown'],
    ['fitbit', 'unknown'],
    ['sensorbio', 'unknown'],
  ] as const)('classifies data of %s without a model as %s', (provider, type) => {
    expect(deviceType({ provider })).toBe(type);
    expect(deviceType({ provider, model: '  ' })).toBe(type);
  });

  it('returns unknown without any device information', () => {
    expect(deviceType({})).toBe('unknown');
  });
});

describe('the device name', () => {
  it.each([
    ['iPhone15,2', 'iPhone 14 Pro'],
    ['Watch6,2', 'Apple Watch Series 6 44mm (GPS)'],
    ['Watch7,5', 'Apple Watch Ultra 2'],
    ['Garmin fenix 7', 'Garmin fenix 7'],
    ['0x200e', 'AirPods Pro'],
    ['0x200E', 'AirPods Pro'],
    ['0x2fff', '0x2fff'],
    ['SM-S901U', 'Galaxy S22'],
    ['SM-S901U1', 'Galaxy S22'],
    ['sm-s901b', 'Galaxy S22'],
    ['SM-R940NZKAXXX', 'Galaxy Watch6 44mm'],
    ['SM-R930', 'Galaxy Watch6 40mm'],
    ['SM-L700', 'Galaxy Watch Ultra'],
    ['SM-Z000', 'SM-Z000'],
    ['SM-', 'SM-'],
    [`SM-${'S'.repeat(100_000)}`, `SM-${'S'.repeat(100_000)}`],
    ['Watch99,1', 'Watch99,1'],
  ])('of %s is %s', (model, name) => {
    expect(deviceName(model)).toBe(name);
  });

  it('is missing only if the device is missing', () => {
    expect(deviceName(undefined)).toBeUndefined();
  });

  it('resolves 311 Samsung codes to name and type', () => {
    expect(SAMSUNG_DEVICES.size).toBe(311);
    const types = [...SAMSUNG_DEVICES].map(([model, name]) => [deviceType({ model }), name] as const);
    for (const [type, name] of types) {
      expect(type).toBe(/Watch/.test(name) ? 'watch' : /Ring/.test(name) ? 'ring' : 'phone');
    }
  });

  it('resolves 225 Apple codes, including the first 11-inch iPad Pro', () => {
    expect(APPLE_DEVICES.size).toBe(225);
    expect(deviceName('iPad8,1')).toMatch(/iPad Pro.*11/);
  });
});
