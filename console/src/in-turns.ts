/** Maximum number of concurrent calls. The service enforces the vendors' limits. */
const OPEN_CALLS = 4;

/** Processes items in order, a few at a time. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: OPEN_CALLS }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}
