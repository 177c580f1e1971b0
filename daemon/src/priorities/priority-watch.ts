import pg from 'pg';
import type { Logger } from 'pino';
import { connectionSettings } from '../platform/database/index.js';
import { PRIORITY_CHANNEL } from './priority-list.js';
import { forgetPriorities } from './ranking.js';

const RECONNECT_FIRST_MS = 250;
const RECONNECT_LONGEST_MS = 10_000;

export interface PriorityWatchOptions {
  /** The pool whose summaries follow the priorities. */
  pool: pg.Pool;
  url: string;
  log: Pick<Logger, 'warn'>;
}

/** Makes this process follow priorities that another one changed. */
export interface PriorityWatch {
  stop(): Promise<void>;
}

/**
 * Listens for changes on a connection of its own and connects again when that breaks. Meanwhile, and until the first
 * connection stands, priorities are at most five seconds old.
 */
export async function watchPriorities({ pool, url, log }: PriorityWatchOptions): Promise<PriorityWatch> {
  let listener: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let delayMs = RECONNECT_FIRST_MS;
  let stopped = false;

  async function listen(): Promise<void> {
    const client = new pg.Client({ ...connectionSettings({ url }), keepAlive: true });
    listener = client;
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      client.end().catch(() => undefined);
      if (stopped) return;
      log.warn(
        { event: 'priority_changes_delayed', err: error, retryInMs: delayMs },
        'Lost the connection for priority changes; reading them again later',
      );
      timer = setTimeout(() => void listen(), delayMs);
      delayMs = Math.min(delayMs * 2, RECONNECT_LONGEST_MS);
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    client.on('notification', () => forgetPriorities(pool));
    try {
      await client.connect();
      await client.query(`listen ${PRIORITY_CHANNEL}`);
      delayMs = RECONNECT_FIRST_MS;
      // What was sent before was missed.
      forgetPriorities(pool);
    } catch (error) {
      onLost(error instanceof Error ? error : undefined);
    }
  }

  await listen();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await listener?.end().catch(() => undefined);
    },
  };
}
