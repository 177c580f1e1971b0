export function healthctlDocument(): Promise<string>;
