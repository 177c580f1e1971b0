import { execFile } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { PROGRAMS } from '../support/programs.js';
import { mountSmallDisk } from '../support/small-disk.js';
import { startWholeService, type WholeService } from '../support/whole-service.js';

const disk = mountSmallDisk(40);
afterAll(() => disk.unmount());

describe.skipIf(disk.missing !== undefined)(`a full disk${disk.missing ?? ''}`, () => {
  const filler = join(disk.folder, 'filler');
  let service: WholeService;
  let metricsPort: number;
  let headers: Record<string, string>;

  beforeAll(async () => {
    metricsPort = await freePort();
    service = await startWholeService({ SPOOL_DIR: disk.folder, METRICS_PORT: String(metricsPort) });
    headers = { [service.apiKeyHeader]: service.apiKey };
  });
  afterAll(() => service.stop());

  const ready = async () => {
    const response = await fetch(`${service.url}/health/ready`);
    return [response.status, ((await response.json()) as { disk: string }).disk];
  };
  const metric = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return /^healthd_disk_full (\d)$/m.exec(text)?.[1];
  };
  /** Returns the disk finding of `healthctl doctor`. Ignores the exit code, which is 1 while the check fails. */
  const doctor = async () => {
    const env = {
      PATH: process.env.PATH,
      HOME: disk.folder,
      HEALTHCTL_URL: service.url,
      HEALTHCTL_TOKEN: service.apiKey,
    };
    const stdout = await new Promise<string>((done) => {
      execFile(process.execPath, [PROGRAMS.healthctl, 'doctor'], { env }, (_error, text) => done(text));
    });
    const findings = JSON.parse(stdout) as { check: string; state: string; code: string }[];
    return findings.find(({ check }) => check === 'disk');
  };
  const upload = async (userId: string) => {
    const body = new FormData();
    body.set('file', new Blob([`<HealthData>${' '.repeat(100_000)}</HealthData>`]), 'export.xml');
    const address = `${service.url}/api/v1/users/${userId}/import/apple/xml/direct`;
    return fetch(address, { method: 'POST', headers, body });
  };

  test('visibly blocks only uploads until space is free', async () => {
    const made = await fetch(`${service.url}/api/v1/users`, { method: 'POST', headers });
    const { id } = (await made.json()) as { id: string };
    expect([await ready(), await metric()]).toEqual([[200, 'ok'], '0']);

    const { bavail, bsize } = await statfs(disk.folder);
    await writeFile(filler, Buffer.alloc(bavail * bsize));
    expect([await ready(), await metric()]).toEqual([[200, 'full'], '1']);
    expect((await fetch(`${service.url}/api/v1/users/${id}`, { headers })).status).toBe(200);

    expect(await doctor()).toMatchObject({ state: 'failed', code: 'disk_full' });

    await rm(filler);
    expect([await ready(), await metric(), await doctor()]).toEqual([[200, 'ok'], '0', undefined]);

    await writeFile(filler, Buffer.alloc(bavail * bsize));
    const rejected = await upload(id);
    expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([507, true]);
    await rm(filler);
    // A failed write counts as a full disk for a while, because other programs may fill and free the disk repeatedly.
    expect(await ready()).toEqual([200, 'full']);
    expect((await upload(id)).status).toBe(200);
  });
});
