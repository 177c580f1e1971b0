import { getSleepSession, getSleepSummary, listAuditEvents, listProviders } from '@healthd/contract';
import { expect, it } from 'vitest';
import { curlOf, quoted } from './shell-command.js';

const ORIGIN = 'https://health.example.org';
const user_id = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';

it('writes path, query and a credential placeholder', () => {
  const query = { start_date: '2026-03-01T00:00:00Z', end_date: '2026-03-08', cursor: undefined, limit: 100 };
  expect(curlOf(ORIGIN, getSleepSummary, { params: { user_id }, query })).toBe(
    `curl -H "X-Service-API-Key: $KEY" '${ORIGIN}/api/v1/users/${user_id}/summaries/sleep?start_date=2026-03-01T00:00:00Z&end_date=2026-03-08&limit=100'`,
  );
  expect(curlOf(ORIGIN, listAuditEvents, { query: {} })).toMatch(/^curl -H "Authorization: Bearer \$TOKEN" '/);
  expect(curlOf(ORIGIN, listProviders, { query: { include_unconfigured: true } })).toBe(
    `curl '${ORIGIN}/api/v1/oauth/providers?include_unconfigured=true'`,
  );
});

it('escapes quotes in the URL', () => {
  const line = curlOf(ORIGIN, getSleepSession, { params: { user_id, sleep_id: "x'; reboot; '" } });
  expect(line.match(/'/g)).toHaveLength(2);
  expect(quoted("x'; reboot")).toBe("'x'\\''; reboot'");
  expect(quoted(user_id)).toBe(user_id);
});
