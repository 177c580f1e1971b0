import { ApiError, messagesOf } from '@healthd/client';

/** Members of a run step that the stream uses. */
export interface RunStep {
  run_id: string;
  user_id: string;
  /** Null while the run is in progress. */
  ended_at: string | null;
}

interface RunStreamOptions {
  /** Opens the server-sent event stream. */
  open: (signal: AbortSignal) => Promise<Response>;
  /** Refetches queries that show these runs. `undefined` means all runs, because steps may be missing. */
  refresh: (steps: readonly RunStep[] | undefined) => Promise<unknown>;
  /** Milliseconds between refreshes. Default: 500. */
  refreshPauseMs?: number;
  /** Milliseconds before a lost stream is reopened. Default: 5,000. */
  reopenPauseMs?: number;
}

/** Time without subscribers before the stream closes, so that page changes keep it open. */
const LINGER_MS = 1_000;
/** Reconnect delay after a rejected stream, for example if too many streams are open. */
const REJECTED_MS = 60_000;

/**
 * Streams run steps over one connection for all subscribers of a page. Reopens a closed stream after a delay. {@link
 * isOpen} is true while the stream is connected.
 */
export class RunStream {
  private readonly listeners = new Set<() => void>();
  private followers = 0;
  private leaving: AbortController | undefined;
  private opened = false;
  private steps: RunStep[] = [];
  private missed = false;
  private refreshing = false;

  constructor(private readonly options: RunStreamOptions) {}

  get isOpen(): boolean {
    return this.opened;
  }

  /** Subscribes to open and close events. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Keeps the stream open until the returned function is called. */
  follow(): () => void {
    this.followers += 1;
    if (this.leaving === undefined) {
      this.leaving = new AbortController();
      void this.run(this.leaving.signal);
    }
    return () => {
      this.followers -= 1;
      setTimeout(() => this.leaveUnlessFollowed(), LINGER_MS);
    };
  }

  private leaveUnlessFollowed(): void {
    if (this.followers > 0) return;
    this.leaving?.abort();
    this.leaving = undefined;
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.read(signal);
      if (this.leaving?.signal === signal || this.leaving === undefined) this.show(false);
      await pause(pauseMs, signal);
    }
  }

  /**
   * Reads the stream to its end.
   * @returns milliseconds before the next attempt
   */
  private async read(signal: AbortSignal): Promise<number> {
    const { open, reopenPauseMs = 5_000 } = this.options;
    try {
      const response = await open(signal);
      this.show(true);
      this.missed = true;
      void this.refresh();
      for await (const { event, data } of messagesOf(chunksOf(response.body))) {
        if (event !== 'sync.status') continue;
        this.steps.push(JSON.parse(data) as RunStep);
        void this.refresh();
      }
    } catch (error) {
      if (error instanceof ApiError) return REJECTED_MS;
    }
    return reopenPauseMs;
  }

  /** Runs one refresh at a time, for all steps since the previous refresh. */
  private async refresh(): Promise<void> {
    if (this.refreshing) return;
    this.refreshing = true;
    while (this.missed || this.steps.length > 0) {
      const steps = this.missed ? undefined : this.steps;
      this.steps = [];
      this.missed = false;
      await this.options.refresh(steps).catch(() => undefined);
      await pause(this.options.refreshPauseMs ?? 500);
    }
    this.refreshing = false;
  }

  private show(isOpen: boolean): void {
    if (this.opened === isOpen) return;
    this.opened = isOpen;
    for (const listener of this.listeners) listener();
  }
}

/** Iterates over a response body. Some browsers lack the native iterator. */
async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) return;
    yield part.value;
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
