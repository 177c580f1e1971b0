export function bundleHealthctl(options?: { version?: string; file?: string }): Promise<string>;
