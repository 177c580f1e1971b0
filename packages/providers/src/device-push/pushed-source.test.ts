import { expect, it } from 'vitest';
import { pushedSource } from './pushed-source.js';

it.each([
  [{ deviceModel: 'Watch', productType: 'Watch7,5' }, 'Watch7,5'],
  [{ device_model: 'Watch', device_hardware_version: 'Watch7,5' }, 'Watch7,5'],
  [{ deviceModel: 'Watch6,2', productType: 'Watch7,5' }, 'Watch6,2'],
  [{ deviceModel: 'SM-R960', productType: 'watch' }, 'SM-R960'],
  [{ productType: 'Watch' }, 'Watch'],
  [{ deviceModel: 'Apple Watch', productType: 'Watch7,5' }, 'Watch7,5'],
  [{ deviceModel: 'AirPods Pro', productType: 'iPhone16,1' }, 'AirPods Pro'],
  [{ deviceModel: 'S2 Body Scale', productType: 'iPhone16,1' }, 'S2 Body Scale'],
  [{ deviceName: 'AirPods Pro', productType: 'iPhone16,1' }, 'AirPods Pro'],
  [{ deviceName: 'Bathroom Scale', productType: 'iPhone16,1' }, 'Bathroom Scale'],
  [{ deviceName: 'Anna’s iPhone', productType: 'iPhone16,1' }, 'iPhone16,1'],
  [{ deviceName: 'Apple Watch', productType: 'Watch7,5' }, 'Watch7,5'],
  [{}, undefined],
])('selects the most specific model of %j: %s', (source, model) => {
  expect(pushedSource(source).deviceModel).toBe(model);
});
