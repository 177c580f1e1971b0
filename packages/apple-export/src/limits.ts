/** Limits that keep a hostile file from costing more than a large genuine file. Sizes in bytes. */
export interface ExportLimits {
  /** Size of the XML after decompression. */
  maxUnpackedBytes: number;
  /** Decompressed bytes per compressed byte; genuine exports stay below 60. Checked from 16 MiB on. */
  maxRatio: number;
  maxAttributeBytes: number;
  /** One start tag, comment, processing instruction or document type declaration. */
  maxTagBytes: number;
  /** Nesting of elements; the vendor's exports need 4. */
  maxDepth: number;
  /** Descendants of one workout or other element that is read whole. */
  maxDescendants: number;
}

export const DEFAULT_LIMITS: ExportLimits = {
  maxUnpackedBytes: 32 * 2 ** 30,
  maxRatio: 200,
  maxAttributeBytes: 64 * 1024,
  maxTagBytes: 1024 * 1024,
  maxDepth: 16,
  maxDescendants: 100_000,
};
