/** A stretch of time of one source. */
export interface SourceSpan {
  sourceId: number;
  fromMs: number;
  toMs: number;
}

/** A stage that is stored now, and was not before or otherwise. */
export interface ChangedStage extends SourceSpan {
  isNew: boolean;
}
