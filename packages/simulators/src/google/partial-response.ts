import { badRequest } from './api-failure.js';
import type { Json, JsonObject } from './point-types.js';

/** Selected members. An empty map selects everything in a member. */
type Selection = Map<string, Selection>;

/**
 * Returns the part of a response that the standard parameter `fields` selects, such as
 * `nextPageToken,dataPoints(name,steps/count)`.
 * @throws a 400 response for an invalid selection
 */
export function partialResponse(fields: string, body: Json): Json {
  const tokens = fields.match(/[A-Za-z0-9_*]+|[(),/]/g) ?? [];
  if (tokens.join('') !== fields) throw badRequest('Invalid field selection.', 'fields');
  const selection = readList(tokens);
  if (tokens.length > 0) throw badRequest('Invalid field selection.', 'fields');
  return select(body, selection);
}

function readList(tokens: string[]): Selection {
  const selection: Selection = new Map();
  do {
    if (tokens[0] === ',') tokens.shift();
    readPath(tokens, selection);
  } while (tokens[0] === ',');
  return selection;
}

function readPath(tokens: string[], into: Selection): void {
  const name = tokens.shift();
  if (name === undefined || /^[(),/]$/.test(name)) throw badRequest('Invalid field selection.', 'fields');
  const below: Selection = into.get(name) ?? new Map();
  into.set(name, below);
  const next = tokens[0];
  if (next !== '/' && next !== '(') return;
  tokens.shift();
  if (next === '/') readPath(tokens, below);
  else {
    for (const [member, selected] of readList(tokens)) below.set(member, selected);
    if (tokens.shift() !== ')') throw badRequest('Invalid field selection.', 'fields');
  }
}

function select(value: Json, selection: Selection): Json {
  if (selection.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => select(item, selection));
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const selected = selection.get(name) ?? selection.get('*');
    if (selected && member !== undefined) out[name] = select(member, selected);
  }
  return out;
}
