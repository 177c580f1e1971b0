import { sourceKey } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { parseDevice } from './device.js';
import { appleSource } from './source.js';

const WATCH =
  '<<HKDevice: 0x2812>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:9.1, creation date:2022-01-02 03:04:05 +0000>';

describe('the device attribute', () => {
  it('keeps commas that belong to a value', () => {
    expect(parseDevice(WATCH)).toEqual({
      name: 'Apple Watch',
      manufacturer: 'Apple Inc.',
      model: 'Watch',
      hardware: 'Watch6,2',
      software: '9.1',
    });
    expect(parseDevice('<<HKDevice: 0x1>, name:Bob, the second, model:Thing>')).toEqual({
      name: 'Bob, the second',
      model: 'Thing',
    });
  });

  it('accepts arbitrary text', () => {
    expect(parseDevice('')).toEqual({});
    expect(parseDevice('hello')).toEqual({});
  });
});

describe('the source of an exported item', () => {
  it('omits the writer if an Apple device measured the item', () => {
    const source = appleSource({ sourceName: 'Annas Watch', sourceVersion: '9.1', device: WATCH });
    expect(source).toEqual({
      provider: 'apple',
      deviceModel: 'Watch6,2',
      writer: undefined,
      deviceType: 'watch',
      softwareVersion: '9.1',
      originalSourceName: 'Annas Watch',
    });
  });

  it('omits a writer that is named after the device, for any version', () => {
    expect(
      appleSource({ sourceName: 'Anna’s Apple\u00a0Watch', sourceVersion: '8', device: WATCH }).writer,
    ).toBeUndefined();
    const renamed = appleSource({ sourceName: 'Anna’s Apple\u00a0Watch', device: WATCH });
    expect(sourceKey(renamed)).toBe(sourceKey(appleSource({ sourceName: 'Bob', sourceVersion: '9.1', device: WATCH })));
  });

  it('names the application that wrote the item, even on Apple devices', () => {
    const app = appleSource({ sourceName: 'RunKeeper', sourceVersion: '366.0.1', device: WATCH });
    expect(app).toMatchObject({ deviceModel: 'Watch6,2', writer: 'RunKeeper' });
    expect(
      appleSource({ sourceName: 'Apple Watch Faces', sourceVersion: '3', device: '<<HKDevice: 0x1>, model:X>' }),
    ).toMatchObject({
      deviceModel: 'X',
      writer: 'Apple Watch Faces',
    });
  });

  it('distinguishes two applications without a device', () => {
    const scale = appleSource({ sourceName: 'Zepp Life', sourceVersion: '6' });
    const food = appleSource({ sourceName: 'Lifesum', sourceVersion: '12' });
    expect(scale).toMatchObject({ writer: 'Zepp Life', softwareVersion: '6', deviceModel: undefined });
    expect(sourceKey(scale)).not.toBe(sourceKey(food));
  });

  it('classifies by the model if the hardware code is unknown', () => {
    const device = '<<HKDevice: 0x1>, name:Feather S2, model:S2 Body Scale, hardware:FS2>';
    expect(appleSource({ sourceName: 'Feather', device })).toMatchObject({ deviceModel: 'FS2', deviceType: 'scale' });
  });

  it.each([
    ['name:AirPods Pro, manufacturer:Apple Inc., model:0x200e, hardware:1A2B', 'other'],
    ['name:AirPods, manufacturer:Apple Inc.', 'other'],
    ['name:Body Scale, manufacturer:Feather, model:FS2', 'scale'],
    ['name:Bathroom Scales', 'scale'],
    ['name:Apple Watch, manufacturer:Apple Inc., model:AB1', 'watch'],
  ])('classifies a device by its name without a known code: %s', (parts, deviceType) => {
    const device = `<<HKDevice: 0x1>, ${parts}, software:2.1>`;
    expect(appleSource({ sourceName: 'Annas Health', device })).toMatchObject({ deviceType });
  });
});
