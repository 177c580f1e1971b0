export interface Room {
  mutate: string[];
  tests: string[];
  seconds?: number;
  decides?: true;
}
export declare const ROOMS: Record<string, Room>;
export declare function expanded(glob: string): string[];
export declare function filesOf(globs: string[], root: string, ofTests?: boolean): string[];
