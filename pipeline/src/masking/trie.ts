// Multiplicative hashing of (state, byte); odd, from the golden ratio.
const HASH_FACTOR = 0x9e3779b1

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
    let slot = Math.imul(key, HASH_FACTOR) >>> this.#shift
    for (;;) {
      const at = this.#keys[slot]
      if (at === key) return this.#targets[slot] ?? 0
      if (at === -1) return 0
      slot = (slot + 1) & this.#mask
    }
  }

  add(state: number, byte: number, target: number): void {
    const key = (state << 8) | byte
    let slot = Math.imul(key, HASH_FACTOR) >>> this.#shift
    while (this.#keys[slot] !== -1) slot = (slot + 1) & this.#mask
    this.#keys[slot] = key
    this.#targets[slot] = target
  }
}

/** The states of an Aho-Corasick automaton; the root is state 0. */
export class Trie {
  readonly #edges: EdgeTable
  readonly #fail: Int32Array
  readonly #depths: Int32Array
  readonly #longest: Int32Array
  readonly #continues: Uint8Array

  constructor(patterns: readonly Uint8Array[]) {
    const capacity = patterns.reduce((sum, pattern) => sum + pattern.length, 1)
    const edges = new EdgeTable(capacity)
    const parent = new Int32Array(capacity)
    const byteOf = new Uint8Array(capacity)
    const depths = new Int32Array(capacity)
    const longest = new Int32Array(capacity)
    const continues = new Uint8Array(capacity)
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
    this.#edges = edges
    this.#fail = fail
    this.#depths = depths
    this.#longest = longest
    this.#continues = continues
  }

  /** The state after `byte`. */
  next(from: number, byte: number): number {
    let state = from
    let next = this.#edges.find(state, byte)
    while (next === 0 && state !== 0) {
      state = this.#fail[state] ?? 0
      next = this.#edges.find(state, byte)
    }
    return next
  }

  /** Length of the longest pattern that ends here; 0 where none does. */
  ending(state: number): number {
    return this.#longest[state] ?? 0
  }

  /** How many of the last bytes could be the beginning of a pattern. */
  depth(state: number): number {
    return this.#depths[state] ?? 0
  }

  /** The state in which a finished pattern that begins no longer one is forgotten: it need not be kept back. */
  settle(from: number): number {
    let state = from
    while (state !== 0 && this.#continues[state] === 0) state = this.#fail[state] ?? 0
    return state
  }
}

/** The states other than the root, shallow ones first: each goes to the next free place of its depth. */
function breadthFirst(depths: Int32Array, states: number): Int32Array {
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
