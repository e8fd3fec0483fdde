/** Where in JSON text one is, as pieces of it are read one after the other. */
export interface JsonCursor {
  /** Whether the next value stands between quotes. */
  readonly insideText: boolean
  read(piece: string): void
}

export function createJsonCursor(): JsonCursor {
  let insideText = false
  let escaped = false
  return {
    get insideText() {
      return insideText
    },
    read(piece) {
      for (const character of piece) {
        if (escaped) escaped = false
        else if (insideText && character === '\\') escaped = true
        else if (character === '"') insideText = !insideText
      }
    },
  }
}
