import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT_MEMBERS } from '@healthd/contract';
import { openApiDocument } from '@healthd/daemon/http';
import { PROVIDER_IDS } from '@healthd/model';
import { PROVIDERS } from '@healthd/providers';
import * as schemas from '@healthd/schemas';
import { declaredRoutes, FIELD_DESCRIPTIONS, providerSchema, type RouteDeclaration } from '@healthd/schemas';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contractText } from '../../scripts/generate-contract.mjs';
import { ROOT } from '../docs/documents.js';

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown>; deprecated?: boolean }[];
  responses: Record<string, unknown>;
  requestBody?: { required: boolean };
}
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Record<string, unknown>;
}
const document = openApiDocument(declaredRoutes, { title: 'healthd', apiKeyHeader: 'X-Service-API-Key' });
const paths = document.paths as Record<string, Record<string, Operation>>;
const operationOf = (route: RouteDeclaration) => paths[route.path]?.[route.method.toLowerCase()] as Operation;

test('lists only providers with an adapter, except in series codes', () => {
  const { schemas } = document.components as { schemas: Record<string, { enum?: string[] }> };
  expect(schemas.Provider).toMatchObject({ type: 'string', enum: PROVIDERS.map(({ id }) => id) });
  const text = JSON.stringify(document).replaceAll(/"garmin_\w+"/g, '""');
  const absent = PROVIDER_IDS.filter((id) => !PROVIDERS.some((provider) => provider.id === id));
  expect(absent.length).toBeGreaterThan(0);
  expect(absent.filter((id) => new RegExp(`\\b${id}\\b`, 'i').test(text))).toEqual([]);
});

test('lists the supported providers in the error for an unknown provider', () => {
  expect(providerSchema.parse('oura')).toBe('oura');
  const [issue] = providerSchema.safeParse('acme').error?.issues ?? [];
  expect(issue?.message).toBe(
    "Input should be 'apple', 'samsung', 'garmin', 'google', 'polar', 'suunto', 'whoop', 'strava', 'oura', 'ultrahuman' or 'workout_files'",
  );
});

test('exports each route under its ID', () => {
  const exported = schemas as Record<string, unknown>;
  expect(declaredRoutes.filter((route) => exported[route.id] !== route)).toEqual([]);
});

test('keeps the stored contract equal to the generated contract', async () => {
  const written = await readFile(join(ROOT, 'packages/contract/src/routes.ts'), 'utf8');
  expect(written, 'run `npm run build`').toBe(contractText(declaredRoutes, CONTRACT_MEMBERS));
});

test('has unique route IDs and paths', () => {
  expect(declaredRoutes.length).toBeGreaterThanOrEqual(20);
  const addresses = declaredRoutes.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases.map((alias) => alias.path)].map((each) => `${method} ${each}`),
  );
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(new Set(declaredRoutes.map(({ id }) => id)).size).toBe(declaredRoutes.length);
});

describe.each(declaredRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_name, route) => {
    test('declares its audit record or a reason for omitting it', () => {
      if ('exempt' in route.audit) expect(route.audit.exempt.length).toBeGreaterThan(10);
      else expect(route.audit.resource).toMatch(/^[a-z_]+$/);
      const ofPerson = route.path.includes('{user_id}');
      expect(ofPerson && 'exempt' in route.audit).toBe(false);
    });

    test('declares its credentials and key scope', () => {
      const takesKeys = route.auth === 'key' || route.auth === 'sdk';
      expect(route.scope !== undefined).toBe(takesKeys);
      if (route.auth === 'sdk' || route.auth === 'device') expect(route.path).toContain('/sdk/');
      const reads = route.method === 'GET' && 'action' in route.audit && route.audit.action === 'read';
      if (reads && takesKeys) expect(route.scope).toBe('read');
      const schemes = { public: 0, developer: 1, key: 2, sdk: 2, device: 1, application: 2 };
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

    test('declares responses that fit JSON Schema', () => {
      if (route.response) z.toJSONSchema(route.response, { io: 'output' });
      else expect([204, 303].includes(route.status) || route.produces !== undefined).toBe(true);
    });

    test('documents 401, 403 and 404 where they can occur', () => {
      const { responses } = operationOf(route);
      if (route.auth !== 'public') expect(responses).toHaveProperty('401');
      if (route.path.includes('{user_id}')) expect(responses).toHaveProperty('404');
      if (route.auth === 'key') expect(responses).toHaveProperty('403');
    });
  },
);

test('generates a valid OpenAPI 3.1 document', async () => {
  const result = await new Validator().validate(structuredClone(document) as Record<string, unknown>);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('resolves every reference of the document', () => {
  const components = document.components as Record<string, Record<string, unknown>>;
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => String(match[1]));
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    const [, , kind = '', name = ''] = reference.split('/');
    expect(Object.keys(components[kind] ?? {})).toContain(name);
  }
});

test('describes optional bodies, parameter types and defaults', () => {
  expect(paths['/api/v1/users']?.post?.requestBody?.required).toBe(false);
  const limit = paths['/api/v1/users']?.get?.parameters.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({ required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } });
  const external = paths['/api/v1/users']?.get?.parameters.find(({ name }) => name === 'external_user_id');
  expect(external?.deprecated).toBe(true);
});

describe('requirements in the document', () => {
  const parameterOf = (path: string, method: string, name: string) =>
    (paths[path]?.[method]?.parameters as Parameter[] | undefined)?.find((one) => one.name === name);

  test('requires `types` for a time series', () => {
    expect(parameterOf('/api/v1/users/{user_id}/timeseries', 'get', 'types')?.required).toBe(true);
  });

  test.each([
    ['start_time', 'start_date'],
    ['end_time', 'end_date'],
    ['start_date', 'start_time'],
    ['end_date', 'end_time'],
  ])('describes the bound %s as replaceable by %s', (name, other) => {
    const bound = parameterOf('/api/v1/users/{user_id}/timeseries', 'get', name);
    expect(bound).toMatchObject({
      required: false,
      description: expect.stringContaining(`unless you send \`${other}\``),
    });
  });

  test.each([
    ['patch', '/api/v1/users/{user_id}'],
    ['patch', '/api/v1/auth/me'],
    ['patch', '/api/v1/developers/{developer_id}'],
    ['patch', '/api/v1/developer/api-keys/{key_id}'],
    ['put', '/api/v1/oauth/providers/{provider}'],
  ])('accepts a missing body for %s %s', (method, path) => {
    expect(paths[path]?.[method]?.requestBody?.required).toBe(false);
  });

  test.each([
    ['/api/v1/sdk/users/{user_id}/sync', 'post', 'Idempotency-Key', false],
    ['/api/v1/sdk/users/{user_id}/sync', 'post', 'Content-Encoding', false],
    ['/api/v1/users/{user_id}/sync/stream', 'get', 'Last-Event-ID', false],
    ['/api/v1/auth/session', 'post', 'X-Healthd-Console', true],
    ['/api/v1/auth/session', 'delete', 'X-Healthd-Console', true],
  ])('declares for %s %s the header %s', (path, method, name, required) => {
    expect(parameterOf(path, method, name)).toMatchObject({ in: 'header', required });
  });
});

interface DescribedResponse {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: { $ref?: string } }>;
}
const answerOf = (of: Record<string, unknown>, path: string, method: string, status: number) =>
  (of.paths as Record<string, Record<string, { responses: Record<number, DescribedResponse> }>>)[path]?.[method]
    ?.responses[status];

test.each([
  ['/api/v1/providers/{provider}/webhooks', 'post', 201],
  ['/api/v1/users/{user_id}/import/apple/xml/direct', 'post', 400],
  ['/api/v1/users', 'get', 431],
  ['/api/v1/users', 'get', 500],
  ['/api/v1/users', 'post', 408],
  ['/api/v1/users', 'post', 507],
])('declares for %s %s the response %i', (path, method, status) => {
  expect(answerOf(document, path, method, status)).toBeDefined();
});

test('declares response headers where they are sent', () => {
  const headersOf = (path: string, method: string, status: number) =>
    Object.keys(answerOf(document, path, method, status)?.headers ?? {});
  expect(headersOf('/api/v1/users', 'get', 200)).toEqual(['X-Request-ID']);
  expect(headersOf('/api/v1/users', 'get', 503)).toContain('Retry-After');
  expect(headersOf('/api/v1/auth/login', 'post', 429)).toContain('Retry-After');
  expect(headersOf('/api/v1/auth/login', 'post', 401)).toContain('WWW-Authenticate');
  expect(headersOf('/api/v1/users/{user_id}/export', 'get', 200)).toContain('Content-Disposition');
  expect(headersOf('/api/v1/oauth/{provider}/callback', 'get', 303)).toContain('Location');
  expect(headersOf('/api/v1/auth/session', 'post', 200)).toContain('Set-Cookie');
});

const compat = openApiDocument(declaredRoutes, {
  title: 'healthd',
  apiKeyHeader: 'X-Open-Wearables-API-Key',
  errorFormat: 'compat',
});

describe('in compat mode', () => {
  test('documents invalid input as a 400 with text, never as a 422', () => {
    for (const [path, operations] of Object.entries(compat.paths as object)) {
      for (const method of Object.keys(operations)) {
        expect([path, method, answerOf(compat, path, method, 422)]).toEqual([path, method, undefined]);
      }
    }
    const wrong = answerOf(compat, '/api/v1/users', 'post', 400)?.content?.['application/json']?.schema;
    expect(wrong).toEqual({ $ref: '#/components/schemas/CompatError' });
  });

  test('documents the configured API key header and the default header', () => {
    expect(compat.components).toMatchObject({
      securitySchemes: {
        ApiKey: { name: 'X-Open-Wearables-API-Key', description: expect.stringContaining('X-Service-API-Key') },
      },
    });
  });

  test('generates a valid OpenAPI 3.1 document', async () => {
    expect((await new Validator().validate(structuredClone(compat))).errors ?? []).toEqual([]);
  });
});

interface Field {
  description?: string;
  $ref?: string;
  type?: string;
  minimum?: number;
  maximum?: number;
  additionalProperties?: unknown;
  properties?: Record<string, Field>;
}

/**
 * Returns every object schema of the document with its location.
 * @param isMap true for the map from a schema's field names to the fields, which may contain a field named `properties`
 */
function objectsOf(value: unknown, at: string, isMap = false): [at: string, schema: Field][] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.entries(value).flatMap(([key, part]) =>
    objectsOf(part, `${at}/${key}`, !isMap && key === 'properties'),
  );
  return Array.isArray(value) || isMap ? inner : [[at, value as Field], ...inner];
}
const objects = objectsOf(document, '#');
const components = (document.components as { schemas: Record<string, Field & { enum?: string[] }> }).schemas;

/** Suffixes of field names that imply a unit, and the unit's pattern in the description. */
const UNITS: readonly (readonly [ending: string, unit: RegExp])[] = [
  ['_seconds', /seconds/i],
  ['_minutes', /minutes/i],
  ['_hours', /hours/i],
  ['_days', /days/i],
  ['_sec_per_km', /seconds per kilometer/i],
  ['_m_per_s', /m\/s/],
  ['_meters', /meters/i],
  ['_kcal', /kcal/],
  ['_kg', /kg/],
  ['_cm', /cm/],
  ['_percent', /percent/],
  ['_bpm', /bpm/],
  ['_ms', /\bms\b/],
  ['durationMs', /milliseconds/],
  ['_mmhg', /mmHg/],
  ['_celsius', /°C/],
  ['_watts', /watts/],
  ['_rpm', /per minute/],
  ['_bytes', /bytes/i],
];

describe('the OpenAPI document', () => {
  test('describes every field', () => {
    const silent = objects.flatMap(([at, { properties }]) =>
      Object.entries(properties ?? {})
        .filter(([, field]) => typeof field === 'object' && !isExplained(field))
        .map(([name]) => `${at}.${name}`),
    );
    expect(silent).toEqual([]);
  });

  test.each([
    ['SleepSession', 'stage', /sleep/i],
    ['PushSleep', 'stage', /sleep/i],
    ['DevicePush', 'data', /readings/],
    ['DataTypeReport', 'items', /item/],
    ['UpdateWebhookSubscriptionResponse', 'updated', /subscription/],
    ['DeleteWebhookSubscriptionResponse', 'deleted', /subscription/],
    ['RedeemInvitationCodeBody', 'code', /Invitation/],
    ['UpdatedUser', 'count', /days/],
  ])('describes %s.%s with its own meaning', (component, name, word) => {
    const fields = objectsOf(components[component], component).map(([, { properties }]) => properties?.[name]);
    expect(fields.find((field) => field !== undefined)?.description).toMatch(word);
  });

  test('marks the ignored parameter of recovery as deprecated', () => {
    const operation = paths['/api/v1/users/{user_id}/summaries/recovery']?.get as { parameters: object[] } | undefined;
    expect(operation?.parameters).toContainEqual(
      expect.objectContaining({ name: 'recovery_selection', deprecated: true }),
    );
  });

  test('explains every parameter', () => {
    const silent = Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ operationId, parameters }) =>
        (parameters as Parameter[])
          .filter(({ description, schema }) => description === undefined && !isExplained(schema))
          .map(({ name }) => `${operationId}.${name}`),
      ),
    );
    expect(silent).toEqual([]);
  });

  test('states the unit of fields whose names contain a unit', () => {
    const fields = objects.flatMap(([at, { properties }]) =>
      Object.entries(properties ?? {}).map(([name, field]) => ({ at, name, field })),
    );
    const parameters = Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap((one) =>
        (one.parameters as Parameter[]).map((field) => ({ at: one.operationId, name: field.name, field })),
      ),
    );
    const silent = [...fields, ...parameters].filter(({ name, field }) => {
      const [, unit] = UNITS.find(([ending]) => name.endsWith(ending)) ?? [];
      return unit && !unit.test(field.description ?? '');
    });
    expect(silent.map(({ at, name, field }) => `${at}.${name}: ${field.description}`)).toEqual([]);
  });

  test('uses every default description', () => {
    const both = [...objects, ...objectsOf(compat, '#')];
    const reported = new Set(both.map(([, { description }]) => description));
    const unused = Object.entries(FIELD_DESCRIPTIONS).filter(([, text]) => !reported.has(text));
    expect(unused.map(([name]) => name)).toEqual([]);
  });

  test('describes every tag in use', () => {
    const used = new Set(declaredRoutes.map(({ tag }) => tag));
    expect((document.tags as { name: string }[]).map(({ name }) => name).sort()).toEqual([...used].sort());
    for (const { description } of document.tags as Field[]) expect(description).toMatch(/\.$/);
  });

  /** True if the field has a description, or refers to a component with a description. */
  function isExplained(field: Field & { anyOf?: Field[] }): boolean {
    const refs = [field, ...(field.anyOf ?? [])].flatMap(({ $ref }) => ($ref ? [$ref.split('/').at(-1) ?? ''] : []));
    return Boolean(field.description) || refs.some((name) => components[name]?.description);
  }
});

describe('clients generated from the document', () => {
  test('contain no bounds beyond the range of exact doubles', () => {
    const bounded = objects.filter(([, one]) => Math.abs(one.minimum ?? 0) > 2 ** 52 || (one.maximum ?? 0) > 2 ** 52);
    expect(bounded).toEqual([]);
  });

  test('accept responses with unknown fields', () => {
    expect(objects.filter(([, { additionalProperties }]) => additionalProperties === false)).toEqual([]);
  });

  test.each(['SeriesType', 'Provider', 'DeviceType', 'SleepStage'])('contain the values of %s by name', (name) => {
    expect(components[name]?.enum?.length).toBeGreaterThan(2);
  });

  test('have named types for request bodies and pages', () => {
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const { requestBody } = operation as unknown as {
          requestBody?: { content: Record<string, { schema: Field }> };
        };
        const [body] = Object.values(requestBody?.content ?? {});
        if (body?.schema.properties) expect([method, path]).toEqual(['post', expect.stringMatching(/import/)]);
      }
    }
    expect(Object.keys(components)).toEqual(
      expect.arrayContaining(['WorkoutPage', 'TimeSeriesSamplePage', 'CreateUserBody']),
    );
  });

  test('get the base URL from the servers of the document', () => {
    const served = openApiDocument(declaredRoutes, {
      title: 'healthd',
      apiKeyHeader: 'X-Service-API-Key',
      serverUrl: 'https://health.clinic.example',
    });
    expect(served.servers).toEqual([{ url: 'https://health.clinic.example' }]);
  });
});
