import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { RouteSpec } from '@healthd/contract';
import { declaredRoutes } from '@healthd/schemas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWholeService, type WholeService } from '../support/whole-service.js';
import { type Attempt, CREDENTIALS, newAttempt, type Sent, type Verdict } from './matrix-credentials.js';
import { matrixText } from './matrix-text.js';

let service: WholeService;
beforeAll(async () => {
  // Every attempt uses a different IP address, so that limits per IP address do not interfere.
  service = await startWholeService({ TRUST_PROXY: '1' });
});
afterAll(() => service.stop());

/** Result of one credential on one route. `fails` stands for a server error. */
type Said = Verdict | 'fails';

test('serves exactly the declared routes', async () => {
  const response = await fetch(`${service.url}/openapi.json`);
  const document = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
  const served = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(served.sort()).toEqual(declaredRoutes.map(({ method, path }) => `${method} ${path}`).sort());
});

test('opens only the routes that the table lists for each credential', async () => {
  const rows: { route: RouteSpec; said: Said[] }[] = [];
  for (const route of declaredRoutes) {
    const anonymousStatus = await statusOf(route, await newAttempt(service), { headers: {} });
    rows.push({
      route,
      said: await Promise.all(CREDENTIALS.map((credential) => tryOne(route, credential, anonymousStatus))),
    });
  }
  const deviations = rows.flatMap(({ route, said }) =>
    CREDENTIALS.flatMap(({ name, expected }, at) =>
      said[at] === expected(route) ? [] : [`${route.id} with ${name}: ${said[at]}, expected ${expected(route)}`],
    ),
  );
  const file = process.env.HEALTHD_MATRIX_FILE;
  if (file)
    await writeFile(
      file,
      matrixText(
        CREDENTIALS.map(({ name }) => name),
        rows,
        deviations,
      ),
    );
  expect(rows.length).toBeGreaterThanOrEqual(40);
  expect(deviations).toEqual([]);
});

test("requires the same credentials on a route's additional paths", async () => {
  const further = declaredRoutes.flatMap((route) =>
    (route.aliases ?? []).map(({ path }): RouteSpec => ({ ...route, path })),
  );
  expect(further.length).toBeGreaterThan(0);
  for (const route of further) {
    for (const credential of CREDENTIALS) {
      expect([route.path, credential.name, await tryOne(route, credential, 0)]).toEqual([
        route.path,
        credential.name,
        credential.expected(route),
      ]);
    }
  }
});

/** Routes that respond 501 for a provider without webhooks, after the credential check. */
const MAY_NOT_BE_OFFERED: readonly string[] = ['receiveProviderWebhook', 'verifyProviderWebhook'];

async function tryOne(
  route: RouteSpec,
  credential: (typeof CREDENTIALS)[number],
  anonymousStatus: number,
): Promise<Said> {
  const cast = await newAttempt(service);
  const sent = await credential.make(service, cast);
  const status = await statusOf(route, cast, sent);
  if (status === 501 && MAY_NOT_BE_OFFERED.includes(route.id)) return 'open';
  if (status >= 500) return 'fails';
  // A public route ignores credentials, so no credential may change its response.
  if (route.auth === 'public') return sent.body || status === anonymousStatus ? 'open' : (status as Verdict);
  if (status === 401 || status === 403) return status;
  return status === 400 && route.auth === 'application' ? 400 : 'open';
}

async function statusOf(route: RouteSpec, cast: Attempt, { headers, body }: Sent): Promise<number> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'user_id' ? cast.userId : randomUUID(),
  );
  service.watch.knowHeaders(new Headers(headers));
  service.watch.knowBody(body);
  const response = await fetch(service.url + path, {
    method: route.method,
    headers: {
      ...headers,
      'X-Forwarded-For': newAddress(),
      ...(body && route.method !== 'GET' ? { 'Content-Type': 'application/json' } : {}),
    },
    body: body && route.method !== 'GET' ? JSON.stringify(body) : null,
  });
  await response.body?.cancel();
  return response.status;
}

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
