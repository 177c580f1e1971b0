import { bodyLimitOf } from '@healthd/contract';
import { isRequired, type RouteDeclaration } from '@healthd/schemas';
import type { z } from 'zod';
import type { OperationExamples } from './examples.js';
import { type Components, componentName, describe, describeMembers } from './schemas.js';

type ParameterLocation = 'path' | 'query' | 'header';

/** Returns an operation's parameters: path, query, and the headers that the route reads. */
export function parameters(route: RouteDeclaration, schemas: Components): unknown[] {
  return [
    ...parametersIn('path', route, route.params, schemas),
    ...parametersIn('query', route, route.query, schemas),
    ...parametersIn('header', route, route.headers, schemas),
    ...(takesBody(route) && bodyLimitOf(route).takesGzip ? [CONTENT_ENCODING] : []),
  ];
}

const CONTENT_ENCODING = {
  name: 'Content-Encoding',
  in: 'header',
  required: false,
  description: 'Compression of the body; omit if uncompressed',
  schema: { type: 'string', enum: ['gzip', 'identity'] },
};

function takesBody({ body, uploadPart }: RouteDeclaration): boolean {
  return body !== undefined && uploadPart === undefined;
}

function parametersIn(
  location: ParameterLocation,
  route: RouteDeclaration,
  schema: z.ZodObject | undefined,
  schemas: Components,
): unknown[] {
  if (!schema) return [];
  const described = describeMembers(schema, schemas, route.id);
  return Object.entries(described.properties ?? {}).map(([name, value]) => {
    const { description, deprecated, ...rest } = value as { description?: string; deprecated?: boolean };
    const insists = (described.required?.includes(name) ?? false) || isRequired(schema.shape[name] ?? {});
    return {
      name,
      in: location,
      required: location === 'path' || insists,
      ...(description && { description }),
      ...(deprecated && { deprecated }),
      schema: rest,
    };
  });
}

/** Returns an operation's body; an empty object if it has none. */
export function requestBody(
  route: RouteDeclaration,
  schemas: Components,
  { body: example }: OperationExamples,
): Record<string, unknown> {
  const shown = example === undefined ? {} : { example };
  if (route.uploadPart) {
    const file = {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'Content of the file',
    };
    const schema = { type: 'object', properties: { [route.uploadPart]: file }, required: [route.uploadPart] };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema, ...shown } } } };
  }
  if (!route.body) return {};
  const type = route.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const schema = describe(route.body, 'input', schemas, componentName(route, 'Body'));
  const required = !route.body.safeParse(undefined).success;
  return { requestBody: { description: bodyText(route), required, content: { [type]: { schema, ...shown } } } };
}

function bodyText(route: RouteDeclaration): string {
  // Omits the maximum size of a push, because it is a setting of the service.
  if (route.bodyType === 'raw' && route.maxBodyBytes === undefined) return 'May be gzipped.';
  const { maxBytes, takesGzip } = bodyLimitOf(route);
  const size = `${maxBytes / 1024} kB`;
  return takesGzip ? `At most ${size} uncompressed; may be gzipped.` : `At most ${size}; must not be compressed.`;
}
