import { API_VERSION } from '@healthd/contract';
import { type RouteDeclaration, TAGS } from '@healthd/schemas';
import type { ErrorFormat } from '../responses.js';
import type { Examples } from './examples.js';
import { parameters, requestBody } from './request.js';
import { RESPONSE_HEADERS, responses } from './responses.js';
import type { Components } from './schemas.js';

export interface DocumentOptions {
  title: string;
  /** Name of the API key header. */
  apiKeyHeader: string;
  /** Format of validation errors. Default: `standard`. */
  errorFormat?: ErrorFormat;
  /** Public base URL of the service. */
  serverUrl?: string;
  /** Examples of bodies and responses. Default: none. */
  examples?: Examples;
}

const SECURITY: Record<RouteDeclaration['auth'], Record<string, string[]>[]> = {
  public: [],
  developer: [{ DeveloperLogin: [] }],
  key: [{ ApiKey: [] }, { DeveloperLogin: [] }],
  sdk: [{ SdkToken: [] }, { ApiKey: [] }],
  device: [{ SdkToken: [] }],
  // No security scheme can express credentials in the body, as applications send them.
  application: [{}, { DeveloperLogin: [] }],
};

/** Creates the OpenAPI 3.1 document of the declared routes. */
export function openApiDocument(
  routes: readonly RouteDeclaration[],
  options: DocumentOptions,
): Record<string, unknown> {
  const schemas: Components = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    path[route.method.toLowerCase()] = operation(route, options, schemas);
    paths[route.path] = path;
  }
  for (const [name, example] of Object.entries(options.examples?.errors ?? {})) {
    if (schemas[name]) schemas[name].examples = [example];
  }
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: API_VERSION,
      description: 'Health and fitness data of your users through one REST API.',
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    servers: [{ url: options.serverUrl ?? '/' }],
    paths,
    components: { schemas, headers: RESPONSE_HEADERS, securitySchemes: securitySchemes(options.apiKeyHeader) },
  };
}

const USUAL_API_KEY_HEADER = 'X-Service-API-Key';

function securitySchemes(apiKeyHeader: string): Record<string, unknown> {
  const also = apiKeyHeader === USUAL_API_KEY_HEADER ? '' : ` \`${USUAL_API_KEY_HEADER}\` is accepted too.`;
  return {
    ApiKey: {
      type: 'apiKey',
      in: 'header',
      name: apiKeyHeader,
      description: `API key \`sk-…\` of a server.${also}`,
    },
    DeveloperLogin: {
      type: 'oauth2',
      description: 'Access token of a developer, in `Authorization: Bearer`.',
      flows: { password: { tokenUrl: '/api/v1/auth/login', scopes: {} } },
    },
    SdkToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Access token of a device; opens its user’s `/sdk/` routes.',
    },
  };
}

function operation(route: RouteDeclaration, options: DocumentOptions, schemas: Components): Record<string, unknown> {
  const examples = options.examples?.of(route.id) ?? {};
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.deprecated && { deprecated: true }),
    security: SECURITY[route.auth],
    parameters: parameters(route, schemas),
    ...requestBody(route, schemas, examples),
    responses: responses(route, options.errorFormat ?? 'standard', schemas, examples),
  };
}
