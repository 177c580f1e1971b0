import { ConnectionAcquireTimeoutError, ConnectionRefusedError, DatabaseError } from 'sequelize';
import { expect, test } from 'vitest';
import { outageOf } from './outage.js';

const coded = (code: string, more = {}) => Object.assign(new Error('said by the server'), { code, ...more });

test.each([
  ['a refused connection', coded('ECONNREFUSED')],
  ['a server that is shutting down', coded('57P01')],
  ['a server that is starting', coded('57P03')],
  ['too many connections', coded('53300')],
  ['a server that became read-only after a failover', coded('25006')],
  ['a deleted socket file', coded('ENOENT', { syscall: 'connect' })],
  ['a broken connection', new Error('Connection terminated unexpectedly')],
  ['a connection timeout', new Error('timeout exceeded when trying to connect')],
  ["a model's refused connection", new ConnectionRefusedError(coded('ECONNREFUSED'))],
  ["a model's connection timeout", new ConnectionAcquireTimeoutError(new Error('x'))],
  ["a model's statement during a shutdown", new DatabaseError(Object.assign(coded('57P01'), { sql: '' }))],
])('treats %s as a database outage', (_case, error) => expect(outageOf(error)).toBe('away'));

test('recognizes a full disk of the database server', () => {
  expect(outageOf(coded('53100'))).toBe('disk_full');
  expect(outageOf(new DatabaseError(Object.assign(coded('53100'), { sql: '' })))).toBe('disk_full');
});

test.each([
  ['a violated table constraint', coded('23505')],
  ['a statement that was cancelled', coded('57014')],
  ['a file that is missing', coded('ENOENT', { syscall: 'open' })],
  ['a bug in the service', new TypeError('x is not a function')],
  ['a value that is not an error', 'ECONNREFUSED'],
])('does not treat %s as a database outage', (_case, error) => expect(outageOf(error)).toBeUndefined());
