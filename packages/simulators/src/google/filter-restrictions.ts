import { filterFailure } from './filter-failure.js';
import type { Token } from './filter-tokens.js';

/** `<type>.<member> <operator> "<literal>"` */
export interface Restriction {
  typeName: string;
  member: string;
  operator: string;
  literal: string;
}

/** Restrictions with the operator between them. At most two are valid. */
export interface Expression {
  restrictions: Restriction[];
  joinedBy: 'AND' | 'OR';
}

/**
 * Parses an expression's structure.
 * @throws a 400 response
 */
export function filterExpression(tokens: readonly Token[]): Expression {
  if (tokens.length === 0) throw filterFailure('MISSING_TOKEN', 'The filter is empty.');
  if (tokens.some(({ kind, text }) => kind === 'parenthesis' || text === 'NOT')) {
    throw filterFailure('EXPRESSION_STRUCTURE', 'Parentheses and NOT are not supported.');
  }
  const restrictions: Restriction[] = [];
  const words = new Set<string>();
  for (let at = 0; at < tokens.length; at += 4) {
    restrictions.push(restrictionAt(tokens, at));
    const word = tokens[at + 3];
    if (word === undefined) break;
    if (word.kind !== 'word') throw filterFailure('SYNTAX', `Unexpected '${word.text}'.`);
    if (at + 4 === tokens.length) throw filterFailure('MISSING_TOKEN', `Nothing follows ${word.text}.`);
    words.add(word.text);
  }
  const timeOfSleepEnd = restrictions.every(({ typeName, member }) => typeName === 'sleep' && /end_time$/.test(member));
  if (words.size > 1 || (words.has('OR') && !timeOfSleepEnd)) {
    throw filterFailure('EXPRESSION_STRUCTURE', 'OR is not supported here.');
  }
  const joinedBy = words.has('OR') ? 'OR' : 'AND';
  const operators = restrictions.map(({ operator }) => operator);
  if (joinedBy === 'AND' && new Set(operators).size < operators.length) {
    throw filterFailure('EXPRESSION_STRUCTURE', 'Only one lower and one upper bound are supported.');
  }
  return { restrictions, joinedBy };
}

function restrictionAt(tokens: readonly Token[], at: number): Restriction {
  const [name, operator, literal] = tokens.slice(at, at + 3);
  if (name?.kind !== 'name') throw filterFailure('SYNTAX', 'A restriction must start with a member.');
  if (operator === undefined || literal === undefined)
    throw filterFailure('MISSING_TOKEN', 'A restriction is incomplete.');
  if (operator.kind !== 'operator') throw filterFailure('SYNTAX', `Unexpected '${operator.text}'.`);
  if (literal.kind !== 'text') throw filterFailure('SYNTAX', 'Literals must be in double quotes.');
  const dot = name.text.indexOf('.');
  const typeName = dot < 0 ? name.text : name.text.slice(0, dot);
  return {
    typeName,
    member: dot < 0 ? '' : name.text.slice(dot + 1),
    operator: operator.text,
    literal: literal.text,
  };
}
