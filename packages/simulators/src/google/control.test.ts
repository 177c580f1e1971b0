import { afterAll, beforeAll, expect, test } from 'vitest';
import { pointsSchema, stepsPointSchema } from './response-schemas.js';
import { ConsentedClient } from './consented-client.js';
import { connectGoogleSimulator, type GoogleSimulator } from './simulator.js';
import { startGoogleSimulator } from './start.js';

let here: GoogleSimulator;
let there: GoogleSimulator;
beforeAll(async () => {
  here = await startGoogleSimulator({ autoConsent: true });
  there = await connectGoogleSimulator(here.urls.origin);
});
afterAll(() => here.close());

test('gives a second connection the same URLs and client', () => {
  expect(there.urls).toEqual(here.urls);
  expect(there.client).toEqual(here.client);
  expect([there.projectNumber, there.projectId]).toEqual([here.projectNumber, here.projectId]);
});

test('accepts control calls of a second connection over HTTP', async () => {
  const { control } = there;
  await control.addAccount({ id: 'anna', timeZone: 'Asia/Kolkata' });
  await control.setClock('2026-04-10T12:00:00Z');
  expect(await here.control.now()).toMatch(/^2026-04-10T12:00:0/);
  await control.seedHistory('anna', { days: 3 });
  const times = { startTime: '2026-04-01T10:00:00Z', endTime: '2026-04-01T10:01:00Z' };
  await control.addPoints('anna', [{ dataType: 'steps', ...times, value: 42 }]);
  const client = await ConsentedClient.connect(there, 'anna');
  const listed = await client.get('dataTypes/steps/dataPoints', {
    filter: 'steps.interval.start_time < "2026-04-01T11:00:00Z"',
  });
  const [walk] = listed.as(pointsSchema(stepsPointSchema)).dataPoints;
  expect(walk!.steps).toMatchObject({ count: '42', interval: { startUtcOffset: '19800s' } });
  expect(await control.truePoints('anna', 'steps', 'reconcile')).toEqual(
    await here.control.truePoints('anna', 'steps', 'reconcile'),
  );
  expect(await control.deletePoints('anna', { dataType: 'steps', to: '2026-04-02T00:00:00Z' })).toBe(1);
  await control.addFault({ kind: 'bad_gateway' });
  expect((await client.get('identity')).status).toBe(502);
  expect(await control.requests({ status: 502 })).toHaveLength(1);
});

test('rejects invalid arguments with a message', async () => {
  await expect(there.control.updateAccount('nobody', {})).rejects.toThrow('account nobody not found');
  await here.control.addAccount({ id: 'ben' });
  const point = { dataType: 'pulse', value: 1 };
  await expect(there.control.addPoints('ben', [point])).rejects.toThrow('unknown data type pulse');
  await expect(there.control.addPoints('ben', [{ ...point, dataType: 'steps' }])).rejects.toThrow('startTime');
  await expect(
    there.control.addPoints('ben', [{ ...point, dataType: 'weight', source: 'pan' as never }]),
  ).rejects.toThrow('source');
  const unknown = await fetch(`${here.urls.control}/explode`, { method: 'POST' });
  expect(unknown.status).toBe(404);
});
