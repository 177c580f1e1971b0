import { describe, expect, it } from 'vitest';
import { unencryptedDatabases } from './unencrypted-databases.js';

describe('the warning about databases without TLS', () => {
  it.each([
    'postgres://u:p@db.example.com/healthd',
    'postgresql://u:p@10.0.0.7:5432/healthd',
    'postgres://u:p@db.example.com/healthd?sslmode=disable',
    'postgres://u:p@[2001:db8::7]:5432/healthd',
    'postgres://db.example.com/healthd?application_name=x',
    'postgres://localhost/healthd?host=db.example.com',
  ])('names DATABASE_URL for %s', (databaseUrl) => {
    expect(unencryptedDatabases({ databaseUrl, mongodbUri: undefined })).toEqual(['DATABASE_URL']);
  });

  it.each([
    'postgres://u:p@db.example.com/healthd?sslmode=require',
    'postgres://u:p@db.example.com/healthd?sslmode=verify-full',
    'postgres://u:p@db.example.com/healthd?ssl=true',
    'postgres://u:p@localhost/healthd',
    'postgres://u:p@127.0.0.1:5433/healthd',
    'postgres://u:p@[::1]:5432/healthd',
    'postgres://u:p@postgres:5432/healthd',
    'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/healthd',
    'postgres:///healthd',
    'postgres://db.example.com/healthd?host=/var/run/postgresql',
  ])('does not name DATABASE_URL for %s', (databaseUrl) => {
    expect(unencryptedDatabases({ databaseUrl, mongodbUri: undefined })).toEqual([]);
  });

  it.each([
    ['mongodb://a.example.com:27017,b.example.com/jobs', true],
    ['mongodb://mongo,b.example.com/jobs', true],
    ['mongodb://u:p@a.example.com/jobs?tls=false', true],
    ['mongodb+srv://u:p@a.example.com/jobs?tls=false', true],
    ['mongodb+srv://u:p@a.example.com/jobs', false],
    ['mongodb://u:p@a.example.com/jobs?tls=true', false],
    ['mongodb://u:p@a.example.com/?replicaSet=r&ssl=true', false],
    ['mongodb://mongo:27017/jobs', false],
  ])('handles the MongoDB URL %s', (mongodbUri, isNamed) => {
    expect(unencryptedDatabases({ databaseUrl: undefined, mongodbUri })).toEqual(isNamed ? ['MONGODB_URI'] : []);
  });
});
