import type { Express } from 'express';

/** A check that resolves if a required part works and rejects otherwise. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_SECONDS = 2;

/** The only part that the service needs for reads. */
const NEEDED_TO_READ = 'database';

/**
 * Mounts `/health/live` (the process responds) and `/health/ready` (the state of each required part). Neither needs
 * credentials, so the reason of a failure is only logged. With a full disk, the service stays ready while it can read:
 * taking it out of rotation would free no space and would stop reads that still work.
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

/** Mounts `GET /`, which existing clients use as a health check. Call only if no console is served. */
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
