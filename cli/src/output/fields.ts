import { EXIT } from '../exit-codes.js';
import { CliError } from '../failure.js';

/** Dotted paths of a type, e.g. `id` and `source.provider`. Lists have no paths into their items. */
export type FieldPath<T> = T extends readonly unknown[]
  ? never
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${FieldPath<NonNullable<T[K]>>}` }[keyof T & string]
    : never;

/** Returns the value at a dotted path, e.g. `source.provider`. Null if missing. */
export function valueAt(record: unknown, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}

/** Shape of a command that writes no records, or only complete events. */
export const NO_FIELDS: { fields: readonly string[] } = { fields: [] };

/**
 * Parses `a,b.c`. `known` contains the dotted paths of the records; a prefix of such a path is also valid. @throws
 * CliError `unknown_field`
 */
export function parseFields(text: string, known: readonly string[]): string[] {
  const fields = text.split(',').map((field) => field.trim());
  const choice = known.length === 0 ? 'This command has no fields to select.' : `Fields: ${known.join(', ')}.`;
  for (const field of fields) {
    if (!known.some((path) => path === field || path.startsWith(`${field}.`))) {
      throw new CliError('unknown_field', `Unknown field ${JSON.stringify(field)} in --json.`, {
        hint: `${choice} To select no fields, put --json at the end.`,
        exitCode: EXIT.usage,
      });
    }
  }
  return fields;
}

/** Returns only the selected fields, keyed by dotted path, or the complete record without a selection. */
export function selectFields(record: unknown, fields: readonly string[] | undefined): unknown {
  if (!fields) return record;
  return Object.fromEntries(fields.map((field) => [field, valueAt(record, field)]));
}
