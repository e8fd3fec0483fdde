/**
 * A number from 0 to 2^32-1 that a text always has, spread evenly: FNV-1a, then the mixing of MurmurHash3, without which
 * neighbouring ids would get neighbouring numbers. It protects nothing: it only spreads load.
 */
export function stableHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A number from 0 to `size`-1 that the text always has. */
export function stableBelow(size: number, text: string): number {
  return Math.floor((stableHash(text) / 2 ** 32) * size)
}
