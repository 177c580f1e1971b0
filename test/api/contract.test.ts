import type { RouteSpec } from '@healthd/api';
import * as api from '@healthd/api';
import { openApiDocument } from '@healthd/daemon/http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const routes = (Object.values(api) as unknown[]).filter(isRoute);

function isRoute(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'method' in value && 'audit' in value && 'path' in value;
}

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown>; deprecated?: boolean }[];
  responses: Record<string, unknown>;
  requestBody?: { required: boolean };
}
const document = openApiDocument(routes, { title: 'healthd', apiKeyHeader: 'X-Service-API-Key' });
const paths = document.paths as Record<string, Record<string, Operation>>;
const operationOf = (route: RouteSpec) => paths[route.path]?.[route.method.toLowerCase()] as Operation;

test('ids and addresses of routes are unique', () => {
  expect(routes.length).toBeGreaterThanOrEqual(20);
  const addresses = routes.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((p) => `${method} ${p}`));
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
});

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  test('says what it does to whose data, or why that is not recorded', () => {
    if ('exempt' in route.audit) expect(route.audit.exempt.length).toBeGreaterThan(10);
    else expect(route.audit.resource).toMatch(/^[a-z_]+$/);
    const ofPerson = route.path.includes('{user_id}');
    expect(ofPerson && 'exempt' in route.audit).toBe(false);
  });

  test('says who may use it, and what a restricted key needs', () => {
    const takesKeys = route.auth === 'key' || route.auth === 'sdk';
    expect(route.scope !== undefined).toBe(takesKeys);
    if (route.auth === 'sdk') expect(route.path).toContain('/sdk/');
    const reads = route.method === 'GET' && 'action' in route.audit && route.audit.action === 'read';
    if (reads && takesKeys) expect(route.scope).toBe('read');
    const schemes = { public: 0, developer: 1, key: 2, sdk: 2, application: 2 };
    expect(operationOf(route).security).toHaveLength(schemes[route.auth]);
  });

  test('declares each parameter of its path', () => {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]));
    expect(Object.keys(route.params?.shape ?? {}).sort()).toEqual(names.sort());
    for (const { required, in: place, schema } of operationOf(route).parameters) {
      if (place === 'path') expect(required).toBe(true);
      expect(Object.keys(schema).length).toBeGreaterThan(0);
    }
  });

  test('answers what JSON Schema can describe', () => {
    if (route.response) z.toJSONSchema(route.response, { io: 'output' });
    else expect([204, 303].includes(route.status) || route.produces !== undefined).toBe(true);
  });

  test('documents its failures', () => {
    const { responses } = operationOf(route);
    if (route.auth !== 'public') expect(responses).toHaveProperty('401');
    if (route.path.includes('{user_id}')) expect(responses).toHaveProperty('404');
    if (route.auth === 'key') expect(responses).toHaveProperty('403');
  });
});

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document) as Record<string, unknown>);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('every reference of the document leads somewhere', () => {
  const { schemas } = document.components as { schemas: Record<string, unknown> };
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => String(match[1]));
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    expect(Object.keys(schemas)).toContain(reference.replace('#/components/schemas/', ''));
  }
});

test('bodies that may be left out are not required, query parameters keep type and default', () => {
  expect(paths['/api/v1/users']?.post?.requestBody?.required).toBe(false);
  const limit = paths['/api/v1/users']?.get?.parameters.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({ required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } });
  const external = paths['/api/v1/users']?.get?.parameters.find(({ name }) => name === 'external_user_id');
  expect(external?.deprecated).toBe(true);
});
