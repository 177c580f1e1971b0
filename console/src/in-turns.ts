/** Calls that are open together; the service itself sees to the vendors' limits. */
const OPEN_CALLS = 4;

/** Does something with each item, a few at a time, in their order. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: OPEN_CALLS }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}
