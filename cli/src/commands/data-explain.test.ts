import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Cli } from '../cli.js';
import { Interrupt } from '../interrupt.js';
import { explain } from './data-explain.js';

let service: Server | undefined;
afterEach(() => void service?.close());

const candidate = (rank: number, provider: string, value: number, lost_by: string | null) => ({
  rank,
  source: { provider, source: null, device: null, device_type: null, device_name: `${provider} Forerunner 965 Pro` },
  value,
  figures: { 'averaged.resting_heart_rate_bpm': value },
  measured_at: null,
  lost_by,
});

const USER = '11111111-2222-4333-8444-555555555555';

/** Starts a service that always returns `result`. Returns its CLI, output and requested paths. */
async function startCli(result: object): Promise<{ cli: Cli; written: string[]; paths: string[] }> {
  const paths: string[] = [];
  service = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(result));
  });
  await new Promise<void>((done) => service?.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const cli = new Cli({ url, output: 'table' }, new Interrupt(), { HEALTHCTL_TOKEN: 'sk-0123' });
  const written: string[] = [];
  cli.sink.width = 80;
  cli.sink.write = async (text) => void written.push(text);
  return { cli, written, paths };
}

test('fits the reason for each losing source into 80 columns', async () => {
  const group = {
    group: 'resting_heart_rate',
    unit: 'bpm',
    lead_figure: 'averaged.resting_heart_rate_bpm',
    candidates: [candidate(1, 'garmin', 58, null), candidate(2, 'suunto', 61, 'lower_provider_priority')],
    figures: {},
  };
  const { cli, written } = await startCli({ date: '2026-03-10', may_change: false, groups: [group] });
  await explain(cli, '2026-03-10', { user: USER, summary: 'recovery' });
  const lines = written.join('').trimEnd().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/).at(-1))).toEqual(['Result', 'selected', 'lower_provider_priority']);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test.each([
  ['an argument', '2026-03-10', undefined],
  ['an option', undefined, '2026-03-10'],
  ['both', '2026-03-10', '2026-03-10'],
])('accepts the date as %s', async (_, argument, date) => {
  const { cli, paths } = await startCli({ date: '2026-03-10', may_change: false, groups: [] });
  await explain(cli, argument, { user: USER, summary: 'sleep', date });
  expect(paths).toEqual([`/api/v1/users/${USER}/summaries/sleep/explain?date=2026-03-10`]);
});

test.each([
  ['a missing date', undefined, undefined, 'Missing argument <date>.'],
  ['two different dates', '2026-03-10', '2026-03-11', 'name different days'],
])('rejects %s', async (_, argument, date, message) => {
  const { cli, paths } = await startCli({});
  const rejected = expect(explain(cli, argument, { user: USER, summary: 'sleep', date })).rejects;
  await rejected.toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
  expect(paths).toEqual([]);
});
