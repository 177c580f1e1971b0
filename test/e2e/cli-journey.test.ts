import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GoogleSimulator, startGoogleSimulator, writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { healthctlHelp } from '../support/healthctl-help.js';
import { PROGRAMS } from '../support/programs.js';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { TerminalProgram } from '../support/terminal.js';
import { fitFile, gpxFile, tcxFile, zipOf } from '../support/workout-files.js';
import { startWorld, type World } from './cli-world.js';

const DOCUMENT = join(import.meta.dirname, '../../docs/healthctl.md');
/** Placeholder for the service's URL in the document. */
const DOCUMENTED_ADDRESS = 'https://health.example.org';

let vendor: GoogleSimulator;
let world: World;
/** Working directory with the examples' files. */
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'healthctl-journey-'));
  vendor = await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA });
  await writeFile(join(folder, 'operator.json'), JSON.stringify(await vendor.control.serviceAccountKey()));
  world = await startWorld({
    ...ampleVendorSettings(vendor),
    HISTORICAL_SYNC_ON_CONNECT: 'false',
    HOST: '0.0.0.0',
    CLOUDHEALTH_PROJECT_ID: vendor.projectNumber,
    CLOUDHEALTH_SERVICE_ACCOUNT_FILE: join(folder, 'operator.json'),
    PORT: String(await freePort()),
  });
  await vendor.control.addAccount({ id: 'ada' });
  await vendor.control.seedHistory('ada', { days: 40, dataTypes: ['steps', 'weight'] });
  await writeExport(join(folder, 'export.zip'), { seed: 5, density: 'light', days: 30, endDate: '2026-06-30' });
  await writeFile(join(folder, 'morning-run.fit'), fitFile());
  await writeFile(join(folder, 'activities.zip'), await zipOf({ 'a/1.gpx': gpxFile(), 'a/2.tcx': tcxFile() }));
  execFileSync('mkdir', [join(folder, 'exports')]);
  await writeExport(join(folder, 'exports/old.zip'), { seed: 6, density: 'light', days: 3, endDate: '2026-04-30' });
  const at = '2026-03-01T08:00:00Z';
  const record = {
    id: 'r1',
    type: 'HKQuantityTypeIdentifierStepCount',
    startDate: at,
    endDate: at,
    value: 9,
    unit: 'count',
  };
  const batch = { provider: 'apple', sdkVersion: '0.11.0', syncTimestamp: at, data: { records: [record] } };
  await writeFile(join(folder, 'batch.json'), JSON.stringify(batch));
  const bin = join(folder, 'bin');
  execFileSync('mkdir', [bin]);
  await writeFile(join(bin, 'healthctl'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAMS.healthctl}' "$@"\n`);
  await chmod(join(bin, 'healthctl'), 0o755);
  env = { PATH: `${bin}:${process.env.PATH}`, HOME: world.home, TERM: 'xterm', TZ: 'UTC', NO_COLOR: '1' };
});
afterAll(async () => {
  await world?.stop();
  await vendor?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a typed command in a shell with piped output. */
function inPipe(line: string): Promise<Ended> {
  return new Promise((done, fail) => {
    const child: ChildProcess = spawn('bash', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended: Ended = { code: null, stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        ended[name] += text;
      });
    }
    child.once('error', fail);
    child.once('close', (code) => done({ ...ended, code }));
  });
}

async function onTerminal(line: string): Promise<{ code: number; shown: string }> {
  const terminal = new TerminalProgram('bash', ['-c', line], { cwd: folder, env });
  const code = await terminal.ended;
  return { code, shown: terminal.shown };
}

/** Follows the consent URL as the user. The vendor redirects back to the service. */
async function consent(shown: string): Promise<void> {
  const address = /https?:\/\/[^\s"]+client_id=[^\s"]+/.exec(shown)?.[0];
  if (address === undefined) return;
  const page = await fetch(address, { redirect: 'manual' });
  const back = new URL(page.headers.get('location') ?? '');
  expect((await fetch(`${world.url}${back.pathname}${back.search}`, { redirect: 'manual' })).status).toBe(303);
}

/**
 * Checks the form of each printed step and returns one placeholder line. The number of steps depends on the run's speed
 * and may be zero.
 */
function steps(shown: string): string {
  const [first = '', ...rest] = shown.trim().split('\n');
  for (const line of first.startsWith('No runs are in progress') ? rest : [first, ...rest]) {
    expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}\S+ {2}google \S+ {2}\S/);
  }
  return '<time>  <run>  google  <step>\n';
}

/**
 * Replaces text that differs between runs, including the number of days with data, because a new day has no data yet.
 */
function asTranscript(shown: string): string {
  return shown
    .replaceAll(world.url, DOCUMENTED_ADDRESS)
    .replaceAll(folder, '~')
    .replaceAll(/https?:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'http://<simulator>')
    .replaceAll(/(<simulator>[^\s?]+)\?\S+/g, '$1?…')
    .replaceAll(/\b(?:[a-z]+_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, '<id>')
    .replaceAll(/\b(?:xml|pull|backfill|sync)_[0-9a-f]{12,}\b/g, '<run>')
    .replaceAll(/^(Ledger hash +)[\w-]{43}$/gm, '$1<hash>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC/g, '<time>')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '<date>')
    .replaceAll(/\b[\d.,]+ (?:s|min \d\d s|MB|kB)\b/g, '<amount>')
    .replaceAll(/\b\d[\d,.]*\b/g, '#')
    .replaceAll(/^healthd +(?:created|updated)/gm, 'healthd  created or updated')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/^(<date>.*\n)\1+/gm, '$1<more days>\n');
}

const documented = await readFile(DOCUMENT, 'utf8');
const journey = (/```sh\n(healthctl[^`]+)```/.exec(documented)?.[1] ?? '').trim().split('\n');
const here = (line: string) => line.replaceAll(DOCUMENTED_ADDRESS, world.url);

describe('a new installation until its first data', () => {
  test('piped commands write only JSON to stdout', async () => {
    expect(journey.length).toBe(10);
    const results: Record<string, unknown[]> = {};
    for (const line of journey) {
      const { code, stdout, stderr } = await inPipe(here(line));
      expect([code, stderr], line).toEqual([0, expect.any(String)]);
      const name = line.split(' ').slice(1, 3).join(' ');
      results[name] = documentsOf(stdout);
      if (name === 'connections connect') await consent(stdout);
    }
    expect(results['users create']?.[0]).toMatchObject({ email: 'anna@example.org' });
    expect(results['sync historical']?.at(-1)).toMatchObject({ event: 'result', status: 'in_progress' });
    expect(results['sync watch']?.at(-1)).toMatchObject({ event: 'result' });
    expect(results['data activity']?.[0]).toContainEqual(expect.objectContaining({ steps: expect.any(Number) }));
    expect(results['subscribers register']?.[0]).toMatchObject([{ status: expect.stringMatching(/created|updated/) }]);
    expect(results['import export.zip']?.at(-1)).toMatchObject({ event: 'result', status: 'success' });
    expect(results['users delete']?.[0]).toMatchObject({ email: 'anna@example.org' });
    await rm(join(folder, 'anna.zip'));
  });

  test('terminal output matches the stored transcript', async () => {
    let transcript = '';
    for (const line of journey) {
      const { code, shown } = await onTerminal(here(line));
      expect(code, `${line}\n${shown}`).toBe(0);
      transcript += `$ ${line}\n${line.includes(' watch ') ? steps(shown) : asTranscript(shown)}\n`;
      if (line.includes('connections connect')) await consent(shown);
    }
    await expect(transcript).toMatchFileSnapshot('transcripts/journey.txt');
    await rm(join(folder, 'anna.zip'));
  });
});

test('doctor compares the callback URL with the public URL', async () => {
  const redirects = async (line: string) =>
    JSON.parse((await inPipe(line)).stdout).find(({ check }: { check: string }) => check === 'redirects');
  expect(await redirects('healthctl doctor')).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/:\d+\/api\/v1\/oauth\/google\/callback/),
  });
  const key = JSON.parse(await readFile(join(world.home, '.config/healthctl/config.json'), 'utf8')).contexts.local
    .api_key;
  const elsewhere = world.url.replace(/localhost|127\.0\.0\.1/, '127.0.0.2');
  expect(await redirects(`HEALTHCTL_TOKEN=${key} healthctl doctor --url ${elsewhere}`)).toMatchObject({
    state: 'warning',
    advice: expect.stringContaining('API_BASE_URL'),
  });
});

/** Parses one JSON document, or one document per line. */
function documentsOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

/**
 * Examples that this test's service cannot run. `docs/commands.test.ts` checks their syntax, and `cli-backfill.test.ts`
 * runs the backfill examples against a vendor that delivers history itself. `cli-verify.test.ts` compares copies.
 */
const NOT_HERE = /^healthctl (?:login|mcp|sync backfill retry|verify)\b/;

test("runs every example in a command's help", async () => {
  const help = [...(await healthctlHelp()).values()].join('\n');
  const examples = [...help.matchAll(/^ {2}((?:echo .*\| )?healthctl .*)$/gm)].map(([, line = '']) => line);
  const run = examples.filter((line) => !NOT_HERE.test(line));
  expect(run.length).toBeGreaterThan(40);
  const failed: string[] = [];
  for (const line of run) {
    const { code, stdout, stderr } = await inPipe(here(line));
    if (code !== 0) failed.push(`${line}\n${code} ${stderr}`);
    if (line.includes('connections connect')) await consent(stdout);
  }
  expect(failed).toEqual([]);
});

describe('completion in real shells', () => {
  const isThere = (shell: string) => {
    try {
      execFileSync('which', [shell]);
      return true;
    } catch {
      return false;
    }
  };

  test('bash completes commands and users', async () => {
    await inPipe('healthctl users create --email bert@example.org');
    const shell = new TerminalProgram('bash', ['--norc', '-i'], { cwd: folder, env: { ...env, PS1: 'ready> ' } });
    shell.type('source <(healthctl completion bash); echo load""ed\n');
    await expect.poll(() => shell.shown).toContain('loaded');
    shell.type('healthctl conte\t');
    await expect.poll(() => shell.shown).toContain('healthctl context');
    shell.type('\u0015healthctl users show bert\t');
    await expect.poll(() => shell.shown).toContain('healthctl users show bert@example.org');
    shell.end();
  });

  test('zsh completes commands and users', async ({ skip }) => {
    skip(!isThere('zsh'), 'zsh is not installed here');
    const shell = new TerminalProgram('zsh', ['-f', '-i'], { cwd: folder, env: { ...env, PS1: 'ready> ' } });
    shell.type('autoload -U compinit; compinit -u -D; source <(healthctl completion zsh); echo load""ed\n');
    await expect.poll(() => shell.shown).toContain('loaded\n');
    shell.type('healthctl conte\t');
    await expect.poll(() => shell.shown).toContain('healthctl context');
    shell.type('\u0015healthctl users show bert\t');
    await expect.poll(() => shell.shown).toContain('bert@example.org');
    shell.end();
  });

  test('fish completes commands and users', async ({ skip }) => {
    skip(!isThere('fish'), 'fish is not installed here');
    const completed = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', `healthctl completion fish | source; complete -C '${line}'`], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
    expect(completed('healthctl conte')).toMatch(/^context\t/m);
    expect(completed('healthctl users show bert')).toMatch(/^bert@example\.org\t/m);
  });
});
