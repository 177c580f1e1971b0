export interface Area {
  mutate: string[];
  tests: string[];
  seconds?: number;
  decides?: true;
}
export declare const AREAS: Record<string, Area>;
export declare function expanded(glob: string): string[];
export declare function filesOf(globs: string[], root: string, ofTests?: boolean): string[];
