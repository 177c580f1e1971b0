import type { Express } from 'express';

/** Resolves when a part that the service needs works; rejects when it does not. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_SECONDS = 2;

/** The part without which nothing can be read. */
const NEEDED_TO_READ = 'database';

/**
 * Mounts `/health/live` (the process answers) and `/health/ready` (what it needs works too, each part by name). Neither
 * takes credentials, so neither says why a part fails: that is for the log. While the disk is full the service is ready
 * as long as it can read: sending callers elsewhere would make no room, and take away what still works.
 */
export function mountProbes(
  app: Express,
  checks: Record<string, ReadinessCheck>,
  onFailure: (part: string, error: unknown) => void,
  isDiskFull: () => Promise<boolean> = async () => false,
): void {
  app.get('/health/live', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'live' });
  });
  app.get('/health/ready', async (_request, response) => {
    const parts = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await inTime(check());
          return [name, 'ok'] as const;
        } catch (error) {
          onFailure(name, error);
          return [name, 'failing'] as const;
        }
      }),
    );
    const isFull = await isDiskFull();
    const ready = parts.every(([part, state]) => state === 'ok' || (isFull && part !== NEEDED_TO_READ));
    response
      .status(ready ? 200 : 503)
      .set(ready ? {} : { 'Retry-After': '10' })
      .set('Cache-Control', 'no-store')
      .json({
        status: ready ? 'ready' : 'not_ready',
        checks: Object.fromEntries(parts),
        disk: isFull ? 'full' : 'ok',
      });
  });
}

/** Mounts `GET /`, which existing clients ask to see whether the service is up; only where no console is served. */
export function mountRoot(app: Express): void {
  app.get('/', (_request, response) => {
    response.json({ message: 'Server is running!' });
  });
}

async function inTime(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the check took too long')), CHECK_SECONDS * 1000);
  });
  await Promise.race([check, late]).finally(() => clearTimeout(timer));
}
