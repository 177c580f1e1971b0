import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { findMongod } from '../../scripts/mongod.mjs';
import { freePort } from './free-port.js';

/** A MongoDB server for tests. `stop` and `start` keep the port and the data, to simulate an outage. */
export interface TestMongod {
  /** Returns the URL of a separate database on this server. */
  databaseUri(): string;
  /** True if stop and start work; false if MONGODB_URI names an external server. */
  readonly ours: boolean;
  start(): Promise<void>;
  /** Stops the server. `SIGKILL` simulates a crash; the default is an orderly stop. */
  stop(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Stops the server permanently and deletes its data. */
  close(): Promise<void>;
}

const START_LIMIT_MS = 120_000;

async function answers(uri: string): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: START_LIMIT_MS });
  try {
    await client.db('admin').command({ ping: 1 });
  } finally {
    await client.close();
  }
}

class LocalMongod implements TestMongod {
  readonly ours = true;
  #process: ChildProcess | undefined;
  readonly #binary: string;
  readonly #port: number;
  readonly #folder: string;

  constructor(binary: string, port: number, folder: string) {
    this.#binary = binary;
    this.#port = port;
    this.#folder = folder;
    process.once('exit', () => this.#process?.kill('SIGKILL'));
  }

  databaseUri(): string {
    return `mongodb://127.0.0.1:${this.#port}/test_${randomBytes(6).toString('hex')}`;
  }

  async start(): Promise<void> {
    if (this.#process !== undefined) return;
    const flags = ['--dbpath', this.#folder, '--port', String(this.#port), '--bind_ip', '127.0.0.1', '--quiet'];
    const small = [
      '--wiredTigerCacheSizeGB',
      '0.25',
      '--nounixsocket',
      '--setParameter',
      'diagnosticDataCollectionEnabled=false',
    ];
    this.#process = spawn(this.#binary, [...flags, ...small], { stdio: 'ignore' });
    await answers(`mongodb://127.0.0.1:${this.#port}`);
  }

  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    await new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill(signal);
    });
  }

  async close(): Promise<void> {
    await this.stop('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function foreignMongod(uri: string): TestMongod {
  return {
    ours: false,
    databaseUri: () => {
      const [, server, options] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)[^?]*(\?.*)?$/.exec(uri) ?? [];
      return `${server ?? uri}/test_${randomBytes(6).toString('hex')}${options ?? ''}`;
    },
    start: () => Promise.reject(new Error('this server is not ours to start')),
    stop: () => Promise.reject(new Error('this server is not ours to stop')),
    close: () => Promise.resolve(),
  };
}

/** Starts a server for one test file. Returns and prints the reason if no server is available. */
export async function startTestMongod(): Promise<{ mongod: TestMongod } | { mongod?: undefined; reason: string }> {
  const found = await findMongod();
  if (found.uri !== undefined) return { mongod: foreignMongod(found.uri) };
  if (found.binary === undefined) {
    const reason = found.reason ?? 'no MongoDB server';
    console.warn(`MongoDB tests are skipped: ${reason}`);
    return { reason };
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'healthd-mongod-data-'));
  const mongod = new LocalMongod(found.binary, await freePort(), folder);
  await mongod.start();
  return { mongod };
}
