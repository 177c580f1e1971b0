import { DATA_TYPES, type DataType } from './data-types.js';
import { filterFailure } from './filter-failure.js';
import { filterExpression, type Restriction } from './filter-restrictions.js';
import { filterTokens } from './filter-tokens.js';
import type { StoredPoint } from './stored-points.js';

export type PointTest = (point: StoredPoint) => boolean;

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const CIVIL = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?)?$/;
const CIVIL_DATE = /^\d{4}-\d\d-\d\d$/;

/** Returns the members that can be filtered. Sleep and exercise differ although both are sessions. */
function filterable(type: DataType): readonly string[] {
  switch (type.record) {
    case 'interval':
      return ['interval.start_time', 'interval.civil_start_time'];
    case 'sample':
      return ['sample_time.physical_time', 'sample_time.civil_time'];
    case 'daily':
      return ['date'];
    default:
      return type.id === 'sleep' ? ['interval.end_time', 'interval.civil_end_time'] : ['interval.civil_start_time'];
  }
}

/**
 * Returns a filter expression's predicate. Checks in this order: structure, operator and literal, type name, member,
 * mixed physical and civil bounds, range.
 * @throws a 400 response for the first problem
 */
export function parseFilter(expression: string, type: DataType): PointTest {
  const tokens = filterTokens(expression);
  if (!tokens) throw filterFailure('SYNTAX', 'The filter cannot be parsed.');
  const { restrictions, joinedBy } = filterExpression(tokens);
  for (const restriction of restrictions) checkLiteral(restriction);
  for (const { typeName } of restrictions) checkType(typeName, type);
  for (const { member } of restrictions) {
    if (!filterable(type).includes(member)) {
      throw filterFailure('DATA_TYPE_MEMBER', `Member '${type.snake}.${member}' is not supported for filtering.`);
    }
  }
  if (new Set(restrictions.map(({ member }) => isCivil(member))).size > 1) {
    throw filterFailure('MIXED_TIME_RESTRICTIONS', 'Physical and civil times cannot be mixed.');
  }
  const tests = restrictions.map(testOf);
  if (joinedBy === 'OR') return (point) => tests.some((test) => test(point));
  checkRange(restrictions);
  return (point) => tests.every((test) => test(point));
}

function isCivil(member: string): boolean {
  return member === 'date' || member.includes('civil_');
}

function checkLiteral({ member, operator, literal }: Restriction): void {
  if (operator !== '>=' && operator !== '<') {
    throw filterFailure('RESTRICTION_COMPARATOR', `Operator ${operator} is not supported.`);
  }
  if (isCivil(member)) {
    const form = member === 'date' ? CIVIL_DATE : CIVIL;
    if (!form.test(literal) || Number.isNaN(literalMs(member, literal))) {
      throw filterFailure('CIVIL_DATE_TIME_FORMAT', 'Expected a date, or a date and time without a time zone.');
    }
  } else if (!RFC_3339.test(literal) || Number.isNaN(literalMs(member, literal))) {
    throw filterFailure('TIMESTAMP_FORMAT', 'Expected an RFC 3339 time.');
  }
}

function checkType(typeName: string, type: DataType): void {
  if (/[-A-Z]/.test(typeName)) throw filterFailure(undefined, `'${typeName}' is not a data type in snake case.`);
  if (typeName === type.snake) return;
  if ([...DATA_TYPES.values()].some(({ snake }) => snake === typeName)) {
    throw filterFailure('COLLECTION_MISMATCH', `The collection contains ${type.snake}, not ${typeName}.`);
  }
  throw filterFailure('DATA_TYPE_RESTRICTION', `'${typeName}' is not a data type.`);
}

function checkRange(restrictions: readonly Restriction[]): void {
  const bound = (operator: string) => {
    const found = restrictions.find((restriction) => restriction.operator === operator);
    return found === undefined ? undefined : literalMs(found.member, found.literal);
  };
  const [lower, upper] = [bound('>='), bound('<')];
  if (lower !== undefined && upper !== undefined && upper <= lower) {
    throw filterFailure('INVALID_TIME_RANGE', 'The upper bound must be after the lower bound.');
  }
}

/** Returns an instant unchanged. Reads a civil time as UTC. */
function literalMs(member: string, literal: string): number {
  if (!isCivil(member)) return Date.parse(literal);
  return Date.parse(literal.length === 10 ? `${literal}T00:00:00Z` : `${literal}Z`);
}

function testOf({ member, operator, literal }: Restriction): PointTest {
  const bound = literalMs(member, literal);
  const time = timeOf(member);
  return operator === '<' ? (point) => time(point) < bound : (point) => time(point) >= bound;
}

function timeOf(member: string): (point: StoredPoint) => number {
  switch (member) {
    case 'date':
      return ({ date }) => Date.parse(`${date}T00:00:00Z`);
    case 'interval.end_time':
      return ({ endMs }) => endMs;
    case 'interval.civil_end_time':
      return ({ endMs, endOffsetSeconds }) => endMs + endOffsetSeconds * 1000;
    case 'interval.civil_start_time':
    case 'sample_time.civil_time':
      return ({ startMs, startOffsetSeconds }) => startMs + startOffsetSeconds * 1000;
    default:
      return ({ startMs }) => startMs;
  }
}
