import { ApiError } from '@healthd/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunStep, RunStream } from './run-stream.js';

describe('run stream', () => {
  let open: ReadableStreamDefaultController<Uint8Array>[] = [];
  let seen: (readonly RunStep[] | undefined)[] = [];
  let isRefused = false;
  let ends: (() => void)[] = [];

  beforeEach(() => {
    [open, seen, isRefused, ends] = [[], [], false, []];
  });
  afterEach(() => {
    for (const end of ends) end();
  });

  /** Response body that stays open until the test or the client closes it. */
  async function response(signal: AbortSignal): Promise<Response> {
    if (isRefused) throw new ApiError(429, 'Too many streams.', [], undefined, undefined);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(': connected\n\n'));
        open.push(controller);
        signal.addEventListener('abort', () => {
          open = open.filter((one) => one !== controller);
          controller.error(signal.reason);
        });
      },
    });
    return new Response(body);
  }

  function stream(refresh?: () => Promise<unknown>): RunStream {
    return new RunStream({
      open: response,
      refresh: async (steps) => {
        seen.push(steps);
        await refresh?.();
      },
      refreshPauseMs: 10,
      reopenPauseMs: 10,
    });
  }
  const follow = (one: RunStream) => ends[ends.push(one.follow()) - 1] as () => void;
  const step = (run: string) =>
    open
      .at(-1)
      ?.enqueue(new TextEncoder().encode(`id: 1\nevent: sync.status\ndata: {"run_id":"${run}","user_id":"u"}\n\n`));
  const runs = () => seen.map((steps) => steps?.map(({ run_id }) => run_id));

  it('refetches only changed runs after it opens', async () => {
    const one = stream();
    follow(one);
    await expect.poll(runs).toEqual([undefined]);
    step('a');
    await expect.poll(runs).toEqual([undefined, ['a']]);
    expect(one.isOpen).toBe(true);
  });

  it('batches steps that arrive during a refetch', async () => {
    let finish = () => {};
    const one = stream(() => new Promise<void>((done) => (finish = done)));
    follow(one);
    await expect.poll(runs).toEqual([undefined]);
    step('a');
    step('b');
    finish();
    await expect.poll(runs).toEqual([undefined, ['a', 'b']]);
    finish();
  });

  it('refetches all runs when it reopens', async () => {
    const one = stream();
    const states: boolean[] = [];
    one.subscribe(() => states.push(one.isOpen));
    follow(one);
    await expect.poll(runs).toEqual([undefined]);
    open[0]?.close();
    await expect.poll(runs).toEqual([undefined, undefined]);
    expect(states).toEqual([true, false, true]);
  });

  it('keeps one shared connection through a moment without subscribers', async () => {
    const one = stream();
    const [first, second] = [follow(one), follow(one)];
    await expect.poll(() => open.length).toBe(1);
    first();
    second();
    const again = follow(one);
    await new Promise((done) => setTimeout(done, 1_200));
    expect([open.length, one.isOpen]).toEqual([1, true]);
    again();
    await expect.poll(() => open.length).toBe(0);
    await expect.poll(() => one.isOpen).toBe(false);
    ends = [];
  });

  it('is not open when the service rejects the stream', async () => {
    isRefused = true;
    const one = stream();
    follow(one);
    await new Promise((done) => setTimeout(done, 50));
    expect(one.isOpen).toBe(false);
    expect(seen).toEqual([]);
  });
});
