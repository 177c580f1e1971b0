import { ApiError, messagesOf } from '@healthd/client';

/** What a step of a run is known by. */
export interface RunStep {
  run_id: string;
  user_id: string;
  /** Null until the run has ended. */
  ended_at: string | null;
}

interface RunStreamOptions {
  /** Opens the stream of server-sent events. */
  open: (signal: AbortSignal) => Promise<Response>;
  /** Has read again what shows these runs; undefined for all runs, because steps may have been missed. */
  refresh: (steps: readonly RunStep[] | undefined) => Promise<unknown>;
  /** Milliseconds from one refresh to the next; half a second by default. */
  refreshPauseMs?: number;
  /** Milliseconds until a lost stream is opened again; five seconds by default. */
  reopenPauseMs?: number;
}

/** While nothing follows for so long, such as from one page to the next, the stream stays open. */
const KEPT_MS = 1_000;
/** A service that refuses a stream, as when too many are open, is asked less often. */
const REFUSED_MS = 60_000;

/**
 * The steps of runs as they happen, over one connection however many parts of a page follow them. A stream that ends is
 * opened again later; {@link isOpen} says whether steps arrive now.
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

  /** Calls back when the stream opens or ends; returns how to stop that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Keeps the stream open until the function is called that is returned. */
  follow(): () => void {
    this.followers += 1;
    if (this.leaving === undefined) {
      this.leaving = new AbortController();
      void this.run(this.leaving.signal);
    }
    return () => {
      this.followers -= 1;
      setTimeout(() => this.leaveUnlessFollowed(), KEPT_MS);
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

  /** Reads the stream to its end. @returns milliseconds until it may be opened again */
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
      if (error instanceof ApiError) return REFUSED_MS;
    }
    return reopenPauseMs;
  }

  /** One refresh at a time, with all steps since the last. */
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

/** Not every browser iterates over the body of an answer. */
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
