import { errorSchema, type RouteSpec, validationErrorSchema } from '@healthd/api';
import { z } from 'zod';

export interface DocumentOptions {
  title: string;
  /** Name of the header that carries an API key. */
  apiKeyHeader: string;
}

const SECURITY: Record<RouteSpec['auth'], Record<string, string[]>[]> = {
  public: [],
  developer: [{ DeveloperLogin: [] }],
  key: [{ ApiKey: [] }, { DeveloperLogin: [] }],
  sdk: [{ SdkToken: [] }, { ApiKey: [] }],
  // The application's credentials are in the body, which no scheme can say.
  application: [{}, { DeveloperLogin: [] }],
};

/** The OpenAPI 3.1 document of the declared routes. */
export function openApiDocument(routes: readonly RouteSpec[], options: DocumentOptions): Record<string, unknown> {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operation(route, schemas);
    paths[route.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: '0.1.0',
      description: 'Health and fitness data of your users through one REST API.',
    },
    paths,
    components: { schemas, securitySchemes: securitySchemes(options.apiKeyHeader) },
  };
}

function securitySchemes(apiKeyHeader: string): Record<string, unknown> {
  return {
    ApiKey: { type: 'apiKey', in: 'header', name: apiKeyHeader },
    DeveloperLogin: { type: 'oauth2', flows: { password: { tokenUrl: '/api/v1/auth/login', scopes: {} } } },
    SdkToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  };
}

function operation(route: RouteSpec, schemas: Record<string, unknown>): Record<string, unknown> {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.deprecated && { deprecated: true }),
    security: SECURITY[route.auth],
    parameters: [...parameters('path', route.params, schemas), ...parameters('query', route.query, schemas)],
    ...requestBody(route, schemas),
    responses: responses(route, schemas),
  };
}

function parameters(
  place: 'path' | 'query',
  schema: z.ZodObject | undefined,
  schemas: Record<string, unknown>,
): unknown[] {
  if (!schema) return [];
  const described = describe(schema, 'input', schemas) as { properties?: Record<string, object>; required?: string[] };
  return Object.entries(described.properties ?? {}).map(([name, value]) => {
    const { description, deprecated, ...rest } = value as { description?: string; deprecated?: boolean };
    return {
      name,
      in: place,
      required: place === 'path' || (described.required?.includes(name) ?? false),
      ...(description && { description }),
      ...(deprecated && { deprecated }),
      schema: rest,
    };
  });
}

function requestBody(route: RouteSpec, schemas: Record<string, unknown>): Record<string, unknown> {
  if (route.uploadPart) {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    const schema = { type: 'object', properties: { [route.uploadPart]: file }, required: [route.uploadPart] };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!route.body) return {};
  const type = route.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const schema = describe(route.body, 'input', schemas);
  return { requestBody: { required: !route.body.safeParse(undefined).success, content: { [type]: { schema } } } };
}

function responses(route: RouteSpec, schemas: Record<string, unknown>): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  answers[route.status] = {
    description: route.status === 204 ? 'Done; no body.' : 'Success',
    ...((route.response || route.produces) && {
      // What is no JSON has no schema: its content type says what it is.
      content: {
        [route.produces ?? 'application/json']: route.response
          ? { schema: describe(route.response, 'output', schemas) }
          : {},
      },
    }),
  };
  const failures = new Set<number>(route.errors);
  if (route.auth !== 'public') failures.add(401);
  if (route.scope) failures.add(403);
  if (route.limit) failures.add(429);
  if (route.body) failures.add(413).add(415);
  if (route.params && 'user_id' in route.params.shape) failures.add(404);
  for (const status of [...failures].sort()) answers[status] = problemAnswer(status, errorSchema, schemas);
  if (route.params || route.query || route.body || route.uploadPart) {
    answers[422] = problemAnswer(422, validationErrorSchema, schemas);
  }
  return answers;
}

const MEANING: Record<number, string> = {
  400: 'Bad request',
  401: 'Missing or invalid credentials',
  403: 'Not allowed with these credentials',
  404: 'No such resource',
  409: 'Conflicts with what is stored',
  413: 'Too large',
  415: 'Content type not supported',
  422: 'The request is not valid; all problems are listed',
  429: 'Too many requests',
  503: 'Not available now',
  507: 'No space left to store it',
};

function problemAnswer(status: number, schema: z.ZodType, schemas: Record<string, unknown>): unknown {
  return {
    description: MEANING[status] ?? 'Error',
    content: { 'application/json': { schema: describe(schema, 'output', schemas) } },
  };
}

/** JSON Schema of a zod schema; parts that carry an id move into the document's components. */
function describe(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, unknown>,
): Record<string, unknown> {
  const {
    $schema: _,
    $defs,
    ...described
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  for (const [id, definition] of Object.entries(($defs as Record<string, Record<string, unknown>>) ?? {})) {
    const { id: _id, $schema: _schema, ...rest } = definition;
    schemas[id] = relocate(rest);
  }
  const own = described.id;
  if (typeof own !== 'string') return relocate(described) as Record<string, unknown>;
  const { id: _id, ...rest } = described;
  schemas[own] = relocate(rest);
  return { $ref: `#/components/schemas/${own}` };
}

function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : relocate(inner),
    ]),
  );
}
