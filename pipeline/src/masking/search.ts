/** Looks for patterns in one stream of bytes, whose pieces come one after the other. */
export interface Search {
  /**
   * Reads `bytes[from..]`; what stands before `from` was read earlier. Calls `found(start, end)` for each occurrence; an
   * occurrence that began before `bytes` has a negative start. Answers how many of the last bytes may be the beginning of
   * another one: the next `bytes` have to begin with these at the latest.
   */
  scan(bytes: Uint8Array, from: number, found: (start: number, end: number) => void): number
  /** Nothing more will come: reads what `scan` put off until it knew more. */
  end?(bytes: Uint8Array, found: (start: number, end: number) => void): void
}
