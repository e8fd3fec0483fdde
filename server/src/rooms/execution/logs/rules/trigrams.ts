/**
 * The trigrams of a text, as a set of bits: a search for a rare text passes over the rows that cannot hold it. Several
 * trigrams share a bit, so a row that has all bits may still not hold the text.
 */
const BITS = 1 << 16
/** More of them hardly tell more, and each is looked up in every row. */
const MOST_BITS = 12

/** The bits of all texts of one row. */
export function trigramsOf(bytes: Uint8Array, texts: Int32Array): Buffer {
  const set = Buffer.alloc(BITS / 8)
  for (let n = 0; n + 1 < texts.length; n += 2) {
    const start = texts[n] ?? 0
    const end = texts[n + 1] ?? 0
    let first = fold(bytes[start] ?? 0)
    let second = fold(bytes[start + 1] ?? 0)
    for (let at = start + 2; at < end; at++) {
      const third = fold(bytes[at] ?? 0)
      const bit = bitOf(first, second, third)
      // The order of get_bit in PostgreSQL: the lowest bit of a byte is its first.
      set[bit >> 3] = (set[bit >> 3] ?? 0) | (1 << (bit & 7))
      first = second
      second = third
    }
  }
  return set
}

/** Bits that every row with this text has; none where nothing is sure. Letters beyond ASCII have cases of their own. */
export function bitsWanted(text: Uint8Array, anyCase: boolean): number[] {
  const bits = new Set<number>()
  for (let at = 0; at + 2 < text.length; at++) {
    const three = [text[at] ?? 0, text[at + 1] ?? 0, text[at + 2] ?? 0]
    if (anyCase && three.some((byte) => byte >= 0x80)) continue
    const [first = 0, second = 0, third = 0] = three.map(fold)
    bits.add(bitOf(first, second, third))
  }
  const all = [...bits]
  const step = Math.max(1, Math.ceil(all.length / MOST_BITS))
  return all.filter((_, index) => index % step === 0)
}

function bitOf(first: number, second: number, third: number): number {
  const three = (first << 16) | (second << 8) | third
  return Math.imul(three, 0x9e3779b1) >>> 16
}

function fold(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
