import pg from 'pg';
import { connectionSettings } from './pool.js';

export interface ChannelOptions {
  url: string;
  /** Name of the channel; an identifier without quotes. */
  channel: string;
  onNotice(payload: string): void;
  /** Called whenever listening has begun, at first and after each interruption. */
  onListening(): void;
  onError(error: unknown): void;
}

export interface ChannelListener {
  close(): Promise<void>;
}

const RETRY_MS = [100, 500, 2_000, 5_000];

/** Listens on a connection of its own, and again whenever that is lost. */
export function listenToChannel(options: ChannelOptions): ChannelListener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      ...connectionSettings({ url: options.url, applicationName: 'healthd events' }),
      keepAlive: true,
    });
    client = fresh;
    let lost = false;
    const retry = (error?: unknown) => {
      if (lost) return;
      lost = true;
      fresh.end().catch(() => undefined);
      if (closed) return;
      if (error) options.onError(error);
      timer = setTimeout(() => void connect(), RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
    };
    fresh.on('error', retry);
    fresh.on('end', () => retry());
    fresh.on('notification', ({ payload = '' }) => options.onNotice(payload));
    try {
      await fresh.connect();
      await fresh.query(`listen ${options.channel}`);
      failures = 0;
      options.onListening();
    } catch (error) {
      retry(error);
    }
  };
  void connect();

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
