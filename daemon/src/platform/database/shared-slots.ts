import type pg from 'pg';

/** The database session that holds this process's slots. */
interface Session {
  client: pg.PoolClient;
  count: number;
  isLost: boolean;
  /** Settles after the last statement, because a connection runs one statement at a time. */
  idle: Promise<unknown>;
  onError(): void;
}

/**
 * Slots that at most one request of all processes on this database holds at a time. They are advisory locks of one
 * session per process, so that many slots need one connection, and a killed process loses its slots at once. If the
 * connection breaks, the slots still exclude each other within this process.
 */
export class SharedSlots {
  readonly #held = new Set<string>();
  #session: Promise<Session> | undefined;
  #releasing: Promise<void> = Promise.resolve();

  constructor(private readonly pool: Pick<pg.Pool, 'connect'>) {}

  /** @returns a function that releases the slot and may be called repeatedly; undefined if the slot is already held */
  async acquire(key: string): Promise<(() => Promise<void>) | undefined> {
    // Otherwise a slot that this process is releasing would appear to be held.
    await this.#releasing;
    if (this.#held.has(key)) return undefined;
    this.#held.add(key);
    let session: Session | undefined;
    let isGranted = false;
    try {
      session = await this.#join();
      isGranted = await ask(session, 'pg_try_advisory_lock', key);
    } finally {
      if (!isGranted) {
        this.#held.delete(key);
        if (session) this.#leave(session);
      }
    }
    if (!isGranted) return undefined;
    const owner = session;
    let released: Promise<void> | undefined;
    return () => {
      released ??= this.#release(key, owner);
      return released;
    };
  }

  async #join(): Promise<Session> {
    this.#session ??= this.#open();
    const opening = this.#session;
    try {
      const session = await opening;
      if (session.isLost || this.#session !== opening) return await this.#join();
      session.count++;
      return session;
    } catch (error) {
      if (this.#session === opening) this.#session = undefined;
      throw error;
    }
  }

  async #open(): Promise<Session> {
    const client = await this.pool.connect();
    const session: Session = {
      client,
      count: 0,
      isLost: false,
      idle: Promise.resolve(),
      onError: () => {
        session.isLost = true;
        this.#session = undefined;
      },
    };
    client.on('error', session.onError);
    return session;
  }

  /** Returns the connection to the pool after the last slot. A lost connection is closed instead. */
  #leave(session: Session): void {
    session.count--;
    if (session.count > 0) return;
    if (!session.isLost) this.#session = undefined;
    session.client.removeListener('error', session.onError);
    session.client.release(session.isLost);
  }

  #release(key: string, session: Session): Promise<void> {
    const unlock = async () => {
      try {
        if (!session.isLost) await ask(session, 'pg_advisory_unlock', key);
      } catch {
        // Closing the connection frees its locks.
        session.onError();
      }
      this.#held.delete(key);
      this.#leave(session);
    };
    const done = unlock();
    this.#releasing = Promise.all([this.#releasing, done]).then(() => undefined);
    return done;
  }
}

async function ask(
  session: Session,
  lock: 'pg_try_advisory_lock' | 'pg_advisory_unlock',
  key: string,
): Promise<boolean> {
  const text = `select ${lock}(hashtextextended($1, 0)) as is_done`;
  const answer = session.idle.then(() => session.client.query<{ is_done: boolean }>(text, [`healthd slot ${key}`]));
  session.idle = answer.catch(() => undefined);
  const { rows } = await answer;
  return rows[0]?.is_done === true;
}
