/** Waiting items, in lines that take turns: a source that sends a thousand at once delays no other source. */
export interface Turns<T> {
  readonly size: number
  add(line: string, item: T): void
  /** At most so many, from each line as many as from the others; a line keeps its order. */
  take(most: number): T[]
}

export function createTurns<T>(): Turns<T> {
  // In the order of their turns: a line that was served goes behind the others.
  const lines = new Map<string, T[]>()
  let size = 0
  return {
    get size() {
      return size
    },
    add(line, item) {
      const own = lines.get(line)
      if (own) own.push(item)
      else lines.set(line, [item])
      size += 1
    },
    take(most) {
      const taken: T[] = []
      const share = Math.max(1, Math.floor(most / lines.size))
      // A line that is put back is met again in the same walk, where the others left some room.
      for (const [line, own] of lines) {
        if (taken.length >= most) break
        taken.push(...own.splice(0, Math.min(share, most - taken.length)))
        lines.delete(line)
        if (own.length > 0) lines.set(line, own)
      }
      size -= taken.length
      return taken
    },
  }
}
