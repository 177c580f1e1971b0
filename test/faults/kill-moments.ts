import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPid } from '../support/daemon.js';
import { archivingBegins } from './archive-loop.js';
import { isBackingUp } from './backup-loop.js';
import { type EmbeddedWorld, isProcessed, until } from './embedded-world.js';

export type Victim = 'postgres' | 'service' | 'both';

/**
 * Activities during which a kill happens, in turn. `recovering` is soon after the last kill, `all well` is after all
 * work is done.
 */
const MOMENTS = ['archiving', 'backing up', 'pushing', 'recovering', 'all well'] as const;
export type KillMoment = (typeof MOMENTS)[number];

/** Kills this many times. @returns the number of kills by moment */
export async function killAtMoments(
  world: EmbeddedWorld,
  victim: Victim,
  kills: number,
): Promise<Partial<Record<KillMoment, number>>> {
  const counts: Partial<Record<KillMoment, number>> = {};
  // Skips `recovering` for the victim `service`, because this loop never kills a starting service. It does kill a
  // starting service's Postgres.
  const moments = MOMENTS.filter((moment) => victim !== 'service' || moment !== 'recovering');
  for (let index = 0; index < kills; index++) {
    const moment = moments[index % moments.length] as KillMoment;
    await until(
      () => arrivesAt(world, moment).then(() => killNow(world, victim)),
      `nothing can be killed while ${moment}`,
    );
    counts[moment] = (counts[moment] ?? 0) + 1;
  }
  return counts;
}

/** Waits for the moment. Rejects if the database or the service goes down first. */
async function arrivesAt(world: EmbeddedWorld, moment: KillMoment): Promise<void> {
  const { home, service, phones, counts, backups, archivals } = world;
  if (moment === 'recovering') return void (await sleep(Math.random() * 1_500));
  const { accepted } = counts;
  await until(() => counts.accepted > accepted && service.isUp, 'no batch is accepted after a kill');
  if (moment === 'pushing') return void (await sleep(Math.random() * 1_000));
  if (moment === 'archiving') return archivingBegins(home, AbortSignal.timeout(120_000));
  if (moment === 'backing up') {
    await until(() => isBackingUp(home), 'no backup was started');
    return void (await sleep(Math.random() * 100));
  }
  const made = () => backups.filter(({ code }) => code === 0).length;
  const before = { made: made(), archived: archivals.done };
  const batches = phones.flatMap((phone) => phone.accepted.slice(-1));
  await until(() => made() > before.made, 'no backup is made');
  await until(() => archivals.done > before.archived, 'archiving does not end');
  for (const batch of batches) await until(() => isProcessed(home, batch), 'a batch stays unprocessed');
}

/** @returns false if there was nothing to kill */
async function killNow({ home, service }: EmbeddedWorld, victim: Victim): Promise<boolean> {
  const postgres = postgresPid(home);
  if (postgres === undefined || (victim === 'service' && !service.isUp)) return false;
  if (victim !== 'service') process.kill(postgres, 'SIGKILL');
  if (victim !== 'postgres') await service.kill();
  return true;
}
