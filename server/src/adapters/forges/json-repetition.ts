import { isDeepStrictEqual } from 'node:util'

/** Values are parsed once more to be compared; no real body repeats more than a few short ones. */
const MOST_COMPARED = 1024 * 1024

/** The value of a part of the text; two that cannot be parsed are not equal to anything. */
type ReadPart = (part: string) => unknown

interface Walk {
  readonly text: string
  readonly read: ReadPart
  at: number
  /** How much of the text may still be parsed. */
  left: number
}

/**
 * Whether every key that an object of the text holds more than once has equal values there. The text is valid JSON, and no
 * deeper than what is read of deliveries. False as well where it would cost too much to compare them.
 */
export function repeatsAlike(text: string, read: ReadPart): boolean {
  return walkValue({ text, read, at: 0, left: MOST_COMPARED })
}

function walkValue(walk: Walk): boolean {
  skipBlanks(walk)
  switch (walk.text[walk.at]) {
    case '{':
      return walkObject(walk)
    case '[':
      return walkList(walk)
    case '"':
      walk.at = endOfString(walk)
      return true
    default:
      while (walk.at < walk.text.length && !',]} \t\r\n'.includes(walk.text[walk.at] ?? '')) walk.at += 1
      return true
  }
}

function walkList(walk: Walk): boolean {
  walk.at += 1
  skipBlanks(walk)
  while (walk.text[walk.at] !== ']') {
    if (!walkValue(walk)) return false
    skipBlanks(walk)
    if (walk.text[walk.at] === ',') walk.at += 1
  }
  walk.at += 1
  return true
}

function walkObject(walk: Walk): boolean {
  const held = new Map<unknown, string>()
  walk.at += 1
  skipBlanks(walk)
  while (walk.text[walk.at] !== '}') {
    const start = walk.at
    walk.at = endOfString(walk)
    const key: unknown = JSON.parse(walk.text.slice(start, walk.at))
    skipBlanks(walk)
    // The colon.
    walk.at += 1
    skipBlanks(walk)
    const valueStart = walk.at
    if (!walkValue(walk)) return false
    const value = walk.text.slice(valueStart, walk.at)
    const earlier = held.get(key)
    if (earlier !== undefined && !isAlike(walk, earlier, value)) return false
    if (earlier === undefined) held.set(key, value)
    skipBlanks(walk)
    if (walk.text[walk.at] === ',') walk.at += 1
    skipBlanks(walk)
  }
  walk.at += 1
  return true
}

function isAlike(walk: Walk, earlier: string, value: string): boolean {
  walk.left -= earlier.length + value.length
  return walk.left >= 0 && isDeepStrictEqual(walk.read(earlier), walk.read(value))
}

/** Behind the closing quote of the string that begins here. */
function endOfString({ text, at }: Walk): number {
  let end = at + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

function skipBlanks(walk: Walk): void {
  while (' \t\r\n'.includes(walk.text[walk.at] ?? 'x')) walk.at += 1
}
