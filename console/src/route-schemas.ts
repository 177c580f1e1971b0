/**
 * Replaces zod in the page (see vite.config.ts). The page takes path and method from the declared routes and never
 * checks by their schemas, so it need not carry the checker: whatever is asked of it gives itself.
 */
const anything: unknown = new Proxy(() => undefined, {
  get: (_, property) => (property === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
});

export const z = anything;
