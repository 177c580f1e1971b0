import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from './documents.js';
import { settings } from './programs.js';

const serviceSchema = z.object({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.unknown()).default({}),
});
const composeSchema = z.object({
  services: z.object({ api: serviceSchema, worker: serviceSchema, postgres: serviceSchema, mongo: serviceSchema }),
  volumes: z.record(z.string(), z.unknown()),
});

const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
const { services, volumes } = composeSchema.parse(parse(text, { merge: true }));
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

test('gives api and worker equal settings and volumes in compose.yaml', () => {
  expect(services.api.command).toEqual(['--role', 'api']);
  expect(services.worker.command).toEqual(['--role', 'worker']);
  expect(services.worker.environment).toEqual(services.api.environment);
  expect(services.worker.volumes).toEqual(services.api.volumes);
});

test('sets only known variables in compose.yaml and Dockerfile', () => {
  const known = [...settings().keys(), 'NODE_ENV', 'MALLOC_ARENA_MAX'];
  const inImage = [...dockerfile.matchAll(/^(?:ENV| {3}) (\w+)=/gm)].map(([, name]) => name);
  expect(inImage).toContain('SPOOL_DIR');
  expect(known).toEqual(expect.arrayContaining(inImage));
  expect(known).toEqual(expect.arrayContaining(Object.keys(services.api.environment ?? {})));
});

test('has required keys and both database URLs in compose.yaml', () => {
  const environment = services.api.environment ?? {};
  const requiredVariable = (name: string) => `\${${name}:?set it in .env}`;
  for (const name of ['SECRET_KEY', 'ENCRYPTION_KEY', 'SIGNING_KEY'])
    expect(environment[name]).toBe(requiredVariable(name));
  expect(environment.DATABASE_URL).toContain(`${requiredVariable('POSTGRES_PASSWORD')}@postgres:5432/healthd`);
  expect(environment.MONGODB_URI).toBe('mongodb://mongo:27017/healthd');
  expect(text).toContain('POSTGRES_PASSWORD=$(openssl');
});

test('refers only to declared services and volumes in compose.yaml', () => {
  for (const service of Object.values(services)) {
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on)));
    const named = service.volumes.map((volume) => volume.split(':')[0]);
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
  }
});

test("mounts the spool volume at the image's SPOOL_DIR in compose.yaml", () => {
  const [, spoolDir] = /SPOOL_DIR=(\S+)/.exec(dockerfile) ?? [];
  expect(services.api.volumes).toContain(`spool:${spoolDir}`);
});
