import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';

/** Dotted paths of a type, e.g. `id` and `source.provider`; lists have none of their own. */
export type FieldPath<T> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${FieldPath<NonNullable<T[K]>>}` }[keyof T & string]
    : never;

/** The value at a dotted path, e.g. `source.provider`; null where nothing is. */
export function valueAt(record: unknown, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}

/** Of a command that writes no records, or events that are always whole. */
export const NO_FIELDS: { fields: readonly string[] } = { fields: [] };

/** Reads `a,b.c`. `known` are the dotted paths of the records; a prefix of one is fine too. @throws CliError `unknown_field` */
export function parseFields(text: string, known: readonly string[]): string[] {
  const fields = text.split(',').map((field) => field.trim());
  const choice = known.length === 0 ? 'This command has no fields to choose.' : `Fields here: ${known.join(', ')}.`;
  for (const field of fields) {
    if (!known.some((path) => path === field || path.startsWith(`${field}.`))) {
      throw new CliError('unknown_field', `--json took ${JSON.stringify(field)} for a field.`, {
        hint: `${choice} Without fields, put --json at the end.`,
        exitCode: EXIT.usage,
      });
    }
  }
  return fields;
}

/** The record with the chosen fields only, under their dotted paths; all of it when none are chosen. */
export function selectFields(record: unknown, fields: readonly string[] | undefined): unknown {
  if (!fields) return record;
  return Object.fromEntries(fields.map((field) => [field, valueAt(record, field)]));
}
