import type { Problem } from '@healthd/schemas';
import { closestMatch } from 'leven';
import type { z } from 'zod';

/** An undeclared member of a request, with the names that are declared at its position. */
interface UnknownName {
  path: (string | number)[];
  known: string[];
}

type Schema = z.core.$ZodType;
const MOST_SHOWN = 100;

/**
 * Returns validation problems for undeclared names at any depth of a body or query, each with the most similar declared
 * name. Does not echo values: a password in a misspelled field is still a password.
 */
export function unknownNameProblems(part: 'query' | 'body', schema: Schema | undefined, value: unknown): Problem[] {
  const found = schema
    ? unknownNames(schema, value, [])
    : membersOf(value).map(([name]) => ({ path: [name], known: [] }));
  return found.slice(0, MOST_SHOWN).map(({ path, known }) => {
    const name = String(path.at(-1)).slice(0, MOST_SHOWN);
    const suggestion = similarName(name, known);
    const hint = suggestion === undefined ? '' : `. \`${name}\`: did you mean \`${suggestion}\`?`;
    return {
      loc: [part, ...path.slice(0, -1), name],
      msg: `Extra inputs are not permitted${hint}`,
      type: 'extra_forbidden',
      ...(suggestion !== undefined && { ctx: { suggestion } }),
    };
  });
}

function unknownNames(schema: Schema, value: unknown, path: UnknownName['path']): UnknownName[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const known = Object.keys(def.shape);
      return membersOf(value).flatMap(([name, member]) => {
        const declared = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
        return declared ? unknownNames(declared, member, [...path, name]) : [{ path: [...path, name], known }];
      });
    }
    case 'array':
      return Array.isArray(value) ? value.flatMap((item, at) => unknownNames(def.element, item, [...path, at])) : [];
    case 'record':
      return membersOf(value).flatMap(([name, member]) => unknownNames(def.valueType, member, [...path, name]));
    case 'union': {
      // Accepts a name if any alternative of the value declares it.
      const [first, ...others] = def.options.map((option) => unknownNames(option, value, path));
      return (first ?? []).filter((name) =>
        others.every((names) => names.some((one) => sameJson(one.path, name.path))),
      );
    }
    case 'pipe':
      return unknownNames(isTransform(def.in) ? def.out : def.in, value, path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      return unknownNames(def.innerType, value, path);
    default:
      return [];
  }
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function isTransform(schema: Schema): boolean {
  return schema._zod.def.type === 'transform';
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Returns the declared name that the caller probably meant: the same name in another notation (`firstName`, `types[]`),
 * or a name in which up to two fifths of the letters differ.
 */
function similarName(name: string, known: readonly string[]): string | undefined {
  const written = lettersOf(name);
  const byLetters = new Map(known.map((one) => [lettersOf(one), one]));
  const maxDistance = Math.floor(written.length * 0.4);
  const closest =
    written && (byLetters.has(written) ? written : closestMatch(written, [...byLetters.keys()], { maxDistance }));
  return closest ? byLetters.get(closest) : undefined;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
