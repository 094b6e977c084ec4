/** Keeps whole files under names that the caller chooses. Small on purpose, so that an object store can stand behind it as well. */
export interface Files {
  /** All of the source or nothing: one that fails, or that reaches `belowBytes`, leaves no trace. */
  keep(name: string, source: AsyncIterable<Uint8Array>, belowBytes: number): Promise<KeptFile>
  discard(name: string): Promise<void>
}

export interface KeptFile {
  readonly sizeBytes: number
  readonly sha256: Buffer
}
