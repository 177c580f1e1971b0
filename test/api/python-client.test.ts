import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { generatePythonClient, pythonGenerator } from '../../scripts/python-client.mjs';
import { runPython } from '../support/python-client.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const PROGRAM = `
import json, sys
from client import AuthenticatedClient
from client.api.data_sources import list_data_sources
from client.api.events import list_sleep_sessions, list_workouts
from client.api.meta import get_coverage
from client.api.summaries import get_activity_summary, get_body_summary
from client.api.sync_status import list_user_sync_runs
from client.api.time_series import get_timeseries
from client.api.users import create_user, get_user, list_users
from client.models import CreateUserBody, SeriesType

url, header, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name=header)
user = create_user.sync(client=client, body=CreateUserBody(first_name="Anna"))
id = user.id
march = {"start_date": "2026-03-10", "end_date": "2026-03-11"}
pages = [
    get_activity_summary.sync(id, client=client, **march),
    list_workouts.sync(id, client=client, **march),
    list_sleep_sessions.sync(id, client=client, **march),
    get_timeseries.sync(id, client=client, types=[SeriesType.STEPS], **march),
]
print(json.dumps({
    "first_name": get_user.sync(id, client=client).first_name,
    "users": [one.first_name for one in list_users.sync(client=client).items],
    "pages": [[type(page).__name__, page.pagination.has_more, len(page.data)] for page in pages],
    "body": get_body_summary.sync(id, client=client),
    "sources": list_data_sources.sync(id, client=client).total,
    "runs": list_user_sync_runs.sync(id, client=client),
    "series": len(get_coverage.sync(client=client).timeseries) > 0,
}))
`;

let modules = '';
let missing = '';
let service: WholeService;
let folder: string;
beforeAll(async () => {
  const found = await pythonGenerator();
  if ('missing' in found) missing = found.missing;
  else modules = found.modules;
  folder = await mkdtemp(join(tmpdir(), 'healthd-python-'));
  service = await startWholeService();
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(({ skip }) => skip(modules === '', missing));

test('calls 11 operations with a Python client generated from the document', async () => {
  const document = join(folder, 'openapi.json');
  await writeFile(document, await (await fetch(`${service.url}/openapi.json`)).text());
  const warnings = await generatePythonClient(modules, document, join(folder, 'client'));
  // The generator cannot parse these two responses, because an archive and NDJSON are not JSON.
  expect(warnings).toEqual([
    'WARNING parsing GET /api/v1/users/{user_id}/export within users.',
    'WARNING parsing GET /api/v1/users/{user_id}/export/snapshot within changes.',
  ]);

  service.watch.knowHeaders(new Headers({ [service.apiKeyHeader]: service.apiKey }));
  const output = JSON.parse(
    await runPython(modules, PROGRAM, folder, [service.url, service.apiKeyHeader, service.apiKey]),
  );
  expect(output).toEqual({
    first_name: 'Anna',
    users: ['Anna'],
    pages: [
      ['ActivitySummaryPage', false, 0],
      ['WorkoutPage', false, 0],
      ['SleepSessionPage', false, 0],
      ['TimeSeriesSamplePage', false, 0],
    ],
    body: null,
    sources: 0,
    runs: [],
    series: true,
  });
});
