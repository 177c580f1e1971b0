import { listUsers } from '@healthd/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { childrenOf, IN_CONTAINER, IN_CONTAINER_WITH_INIT, missingContainers } from '../support/container.js';
import { type Daemon, type Ended, newHome, runHealthd, startDaemon } from '../support/daemon.js';
import { newUser } from './imports.js';

const missing = missingContainers();
// Shared by all tests, because a first start takes longer than everything else here.
const home = newHome();
const users: string[] = [];
let daemon: Daemon | undefined;
afterEach(async () => {
  await daemon?.kill9();
  daemon = undefined;
});

describe.skipIf(missing !== undefined)(`containers on one data directory${missing ?? ''}`, () => {
  it.each([
    ['a container', 'a process outside', IN_CONTAINER, []],
    ['a container', 'another container', IN_CONTAINER, IN_CONTAINER],
    ['a process outside', 'a container', [], IN_CONTAINER],
  ])('a service in %s rejects a second service in %s', async (_, __, first, second) => {
    daemon = await start(first);
    const rejected = await run(second);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(
      /^healthd: Another healthd \(process \d+ on another host or container named \S+, since \d{4}-\S+Z\) is using the data directory \S+\. Stop it, or set DATA_DIR to another directory\.\n$/,
    );
    users.push(await newUser(daemon));
    expect(await usersOf(daemon)).toEqual([...users].sort());
    // Kills the service only in a container. Elsewhere its database would keep running.
    await (first.length > 0 ? daemon.kill9() : daemon.stop());
    daemon = await start(second);
    await (second.length > 0 ? daemon.kill9() : daemon.stop());
  });

  it('starts with all data after another container was killed', async () => {
    for (let life = 1; life <= 3; life++) {
      daemon = await start(IN_CONTAINER);
      users.push(await newUser(daemon));
      await daemon.kill9();
    }
    daemon = await start(IN_CONTAINER);
  });

  it('rejects a command in another container without side effects', async () => {
    daemon = await start(IN_CONTAINER);
    const rejected = await run(IN_CONTAINER, ['admin', 'reset-password', 'admin@localhost']);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(/Another healthd .* is using the data directory/);
    users.push(await newUser(daemon));
    await daemon.kill9();
    daemon = await start(IN_CONTAINER);
  });

  it('rejects a start until the container of an orphaned database ends', async () => {
    daemon = await start(IN_CONTAINER_WITH_INIT);
    users.push(await newUser(daemon));
    const [init = 0] = childrenOf(daemon.pid);
    const [service = 0] = childrenOf(init);
    process.kill(service, 'SIGKILL');
    const rejected = await run(IN_CONTAINER);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(
      /healthd: The Postgres of a killed healthd \(process \d+ on another host or container named \S+, since \S+\) is using the data directory \S+\. Stop its container or its Postgres processes, then start healthd again\.\n$/,
    );
    await daemon.kill9();
    daemon = await start(IN_CONTAINER);
  });
});

/** Starts the service. Fails unless all users created so far exist. */
async function start(within: readonly string[]): Promise<Daemon> {
  const started = await startDaemon({ home, within });
  expect(await usersOf(started)).toEqual([...users].sort());
  return started;
}

function run(within: readonly string[], args: string[] = []): Promise<Ended> {
  return runHealthd(home, args, {}, undefined, within);
}

async function usersOf(service: Daemon): Promise<string[]> {
  const { items } = await service.client.call(listUsers, {});
  return items.map(({ id }) => id).sort();
}
