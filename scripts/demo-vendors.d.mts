interface Score {
  provider: string;
  category: string;
  recorded_at: string;
}
export function newestScores<T extends Score>(scores: readonly T[]): T[];
