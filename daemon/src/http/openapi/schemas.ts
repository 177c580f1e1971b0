import type { RouteSpec } from '@healthd/contract';
import { FIELD_DESCRIPTIONS } from '@healthd/schemas';
import { z } from 'zod';

/** Named JSON schemas of the document. `describe` adds the schemas that it finds. */
export type Components = Record<string, Record<string, unknown>>;

/**
 * Returns the JSON schema of a zod schema. Moves parts with an ID to the document's components.
 * @param name name of a schema without an ID: an object becomes a component with this name
 */
export function describe(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Components,
  name: string,
): Record<string, unknown> {
  const { id, ...rest } = jsonSchema(schema, io, components);
  if (typeof id === 'string') return component(rest, id, components);
  if (rest.type === 'object') return component(rest, name, components);
  // A nullable type is a list of alternatives, one of which is the object.
  const alternatives = Array.isArray(rest.anyOf) ? (rest.anyOf as Record<string, unknown>[]) : [];
  if (alternatives.filter(({ type }) => type === 'object').length !== 1) return completed(rest, name);
  const anyOf = alternatives.map((one) =>
    one.type === 'object' ? component(one, name, components) : completed(one, name),
  );
  return { ...rest, anyOf };
}

function component(schema: Record<string, unknown>, name: string, components: Components): { $ref: string } {
  components[name] = completed(schema, name);
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the members of an object that is not a component of the document, such as an operation's parameters. */
export function describeMembers(
  schema: z.ZodObject,
  components: Components,
  owner: string,
): { properties?: Record<string, object>; required?: string[] } {
  return completed(jsonSchema(schema, 'input', components), owner);
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): Record<string, unknown> {
  const options = { io, unrepresentable: 'any', override: openUp } as const;
  const { $schema: _, $defs, ...described } = z.toJSONSchema(schema, options) as Record<string, unknown>;
  for (const [id, definition] of Object.entries(($defs as Record<string, Record<string, unknown>>) ?? {})) {
    const { id: _id, $schema: _schema, ...rest } = definition;
    components[id] = completed(rest, id);
  }
  return described;
}

/**
 * Adds component references, and a description of each field. @param owner name of the component or schema that
 * contains the fields
 */
function completed(schema: Record<string, unknown>, owner: string): Record<string, unknown> {
  const relocated = relocate(schema) as Record<string, unknown>;
  describeFields(relocated, owner);
  return relocated;
}

function describeFields(schema: unknown, owner: string): void {
  if (Array.isArray(schema)) for (const part of schema) describeFields(part, owner);
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return;
  const { properties } = schema as { properties?: Record<string, Record<string, unknown>> };
  for (const [name, field] of Object.entries(properties ?? {})) {
    const description = fieldDescription(owner, name);
    if (description !== undefined) field.description ??= description;
  }
  // Visits the fields instead of their container, because a field may be named like a keyword, such as `properties`.
  const { properties: _, ...parts } = schema as Record<string, unknown>;
  for (const part of [...Object.values(properties ?? {}), ...Object.values(parts)]) describeFields(part, owner);
}

/** Returns the shared description, if any, of a field that has no description of its own. */
function fieldDescription(owner: string, name: string): string | undefined {
  const own = `${owner}.${name}`;
  const known = Object.hasOwn(FIELD_DESCRIPTIONS, own) ? own : name;
  return Object.hasOwn(FIELD_DESCRIPTIONS, known) ? FIELD_DESCRIPTIONS[known] : undefined;
}

/** Removes rules that zod adds: the limits of safe integers, and the ban on additional response fields. */
function openUp({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
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

/** Returns the component name of a route's body or response without an ID, such as `CreateUserBody`. */
export function componentName({ id }: RouteSpec, what: 'Body' | 'Response' | 'Parameters'): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}${what}`;
}
