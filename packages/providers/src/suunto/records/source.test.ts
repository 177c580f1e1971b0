import { expect, it } from 'vitest';
import { deviceSource, SUUNTO_SOURCE } from './source.js';

it('returns no device without a model', () => {
  expect(deviceSource(undefined, { deviceId: 'd-1' })).toEqual(SUUNTO_SOURCE);
});

it.each(['Suunto Race', 'Ambit3 Peak', 'a new model'])('classifies the model %s as a watch', (model) => {
  expect(deviceSource(model, { deviceId: 'd-1' })).toMatchObject({
    deviceModel: model,
    deviceType: 'watch',
    deviceId: 'd-1',
  });
});
