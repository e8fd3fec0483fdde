/**
 * An Aho-Corasick automaton over bytes: one pass finds every occurrence of every pattern, in time linear in the text
 * whatever the patterns are (a regular expression of hundreds of alternatives is not).
 */
export type Automaton = {
  readonly patternCount: number
  /**
   * Reads `bytes[from..]` starting in `state` (0 at first) and calls `found(start, end)` for the longest pattern that
   * ends at each position. Returns the new state.
   */
  scan(bytes: Uint8Array, from: number, state: number, found: (start: number, end: number) => void): number
  /** How many of the last bytes read could be the beginning of a pattern. */
  depth(state: number): number
}

// Both in one byte of the table of pairs: a pattern begins with this pair; how far a window that ends with it may move.
const begins = 0x80
const farthest = 0x7f

/**
 * Passes over text in which no pattern begins, looking at few of its bytes: a window as long as the shortest pattern
 * moves on by as much as the last two bytes in it allow, whichever pattern they are part of (Wu and Manber).
 */
class Skipper {
  readonly #window: number
  readonly #pairs: Uint8Array

  constructor(patterns: readonly Uint8Array[]) {
    const window = patterns.reduce((shortest, { length }) => Math.min(shortest, length), farthest + 1)
    this.#window = window
    this.#pairs = new Uint8Array(65536).fill(window - 1)
    for (const pattern of patterns) {
      for (let at = 1; at < window; at++) {
        const pair = ((pattern[at - 1] ?? 0) << 8) | (pattern[at] ?? 0)
        const known = this.#pairs[pair] ?? 0
        this.#pairs[pair] = (known & begins) | Math.min(known & farthest, window - 1 - at)
      }
    }
    for (const pattern of patterns) {
      const pair = ((pattern[0] ?? 0) << 8) | (pattern[1] ?? 0)
      this.#pairs[pair] = (this.#pairs[pair] ?? 0) | begins
    }
  }

  /** The first place from `from` on where a pattern may begin, if only with the last byte. */
  next(bytes: Uint8Array, from: number): number {
    const pairs = this.#pairs
    const ahead = this.#window - 1
    const last = bytes.length - 1
    let at = from
    while (at + ahead <= last) {
      const moved = (pairs[((bytes[at + ahead - 1] ?? 0) << 8) | (bytes[at + ahead] ?? 0)] ?? 0) & farthest
      if (moved > 0) at += moved
      else if (((pairs[((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)] ?? 0) & begins) !== 0) return at
      else at++
    }
    while (at < last && ((pairs[((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)] ?? 0) & begins) === 0) at++
    return at
  }
}

// Multiplicative hashing of (state, byte); odd, from the golden ratio.
const hashFactor = 0x9e3779b1

/** Edges of all states in one open-addressed table: dense rows of 256 would take 1 KiB per state. */
class EdgeTable {
  readonly #mask: number
  readonly #shift: number
  readonly #keys: Int32Array
  readonly #targets: Int32Array

  constructor(edges: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(edges * 2 + 1)))
    this.#mask = 2 ** bits - 1
    this.#shift = 32 - bits
    this.#keys = new Int32Array(2 ** bits).fill(-1)
    this.#targets = new Int32Array(2 ** bits)
  }

  /** The state behind the edge, or 0: no edge leads back to the root. */
  find(state: number, byte: number): number {
    const key = (state << 8) | byte
    let slot = Math.imul(key, hashFactor) >>> this.#shift
    for (;;) {
      const at = this.#keys[slot]
      if (at === key) return this.#targets[slot] ?? 0
      if (at === -1) return 0
      slot = (slot + 1) & this.#mask
    }
  }

  add(state: number, byte: number, target: number): void {
    const key = (state << 8) | byte
    let slot = Math.imul(key, hashFactor) >>> this.#shift
    while (this.#keys[slot] !== -1) slot = (slot + 1) & this.#mask
    this.#keys[slot] = key
    this.#targets[slot] = target
  }
}

/** Builds the automaton; every pattern must be at least 2 bytes long. */
export const buildAutomaton = (patterns: readonly Uint8Array[]): Automaton => {
  const capacity = patterns.reduce((sum, pattern) => sum + pattern.length, 1)
  const edges = new EdgeTable(capacity)
  const parent = new Int32Array(capacity)
  const byteOf = new Uint8Array(capacity)
  const depths = new Int32Array(capacity)
  // Length of the longest pattern that is a suffix of the state's text; 0 where none is.
  const longest = new Int32Array(capacity)
  const continues = new Uint8Array(capacity)
  const skipper = new Skipper(patterns)
  let states = 1

  for (const pattern of patterns) {
    let state = 0
    for (const byte of pattern) {
      let next = edges.find(state, byte)
      if (next === 0) {
        next = states++
        edges.add(state, byte, next)
        parent[next] = state
        continues[state] = 1
        byteOf[next] = byte
        depths[next] = (depths[state] ?? 0) + 1
      }
      state = next
    }
    longest[state] = pattern.length
  }

  const fail = new Int32Array(capacity)
  for (const state of breadthFirst(depths, states)) {
    const up = parent[state] ?? 0
    const byte = byteOf[state] ?? 0
    if (up !== 0) {
      let candidate = fail[up] ?? 0
      while (candidate !== 0 && edges.find(candidate, byte) === 0) candidate = fail[candidate] ?? 0
      fail[state] = edges.find(candidate, byte)
    }
    if (longest[state] === 0) longest[state] = longest[fail[state] ?? 0] ?? 0
  }

  return {
    patternCount: patterns.length,
    depth: (state) => depths[state] ?? 0,
    scan: (bytes, from, start, found) => {
      let state = start
      const last = bytes.length - 1
      let at = from
      while (at <= last) {
        // Most of a log.
        if (state === 0) at = skipper.next(bytes, at)
        const byte = bytes[at] ?? 0
        let next = edges.find(state, byte)
        while (next === 0 && state !== 0) {
          state = fail[state] ?? 0
          next = edges.find(state, byte)
        }
        state = next
        at++
        const length = longest[state] ?? 0
        if (length > 0) found(at - length, at)
      }
      // A finished pattern that begins no longer one need not be kept back.
      while (state !== 0 && continues[state] === 0) state = fail[state] ?? 0
      return state
    },
  }
}

/** The states other than the root, shallow ones first: each goes to the next free place of its depth. */
const breadthFirst = (depths: Int32Array, states: number): Int32Array => {
  const deepest = depths.reduce((most, depth) => Math.max(most, depth), 0)
  const places = new Int32Array(deepest + 2)
  for (let state = 1; state < states; state++) {
    const behind = (depths[state] ?? 0) + 1
    places[behind] = (places[behind] ?? 0) + 1
  }
  // The root has depth 0 and no place.
  for (let depth = 1; depth < places.length; depth++) places[depth] = (places[depth] ?? 0) + (places[depth - 1] ?? 0)
  const order = new Int32Array(states - 1)
  for (let state = 1; state < states; state++) {
    const depth = depths[state] ?? 0
    const place = places[depth] ?? 0
    order[place] = state
    places[depth] = place + 1
  }
  return order
}
