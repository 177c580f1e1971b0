import type { Express } from 'express';

/** Resolves when a part that the service needs works; rejects when it does not. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_SECONDS = 2;

/**
 * Mounts `/health/live` (the process answers) and `/health/ready` (what it needs works too, each part by name). Neither
 * takes credentials, so neither tells why a part fails: that is for the log.
 */
export function mountProbes(
  app: Express,
  checks: Record<string, ReadinessCheck>,
  onFailure: (part: string, error: unknown) => void,
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
    const ready = parts.every(([, state]) => state === 'ok');
    response
      .status(ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status: ready ? 'ready' : 'not_ready', checks: Object.fromEntries(parts) });
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
