export function withProgress<T>(
  what: string,
  work: () => Promise<T>,
  options?: { everyMs?: number; tell?: (line: string) => void },
): Promise<T>;
