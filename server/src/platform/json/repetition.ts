/** Whether a key may stand there twice, with these two parts of the text as its values. */
export type MayRepeat = (earlier: string, later: string) => boolean

interface Walk {
  readonly text: string
  readonly mayRepeat: MayRepeat
  at: number
  repeated: string | undefined
}

/** The first key that an object of the text holds more than once and may not. The text must be valid JSON of bounded depth. */
export function findRepeatedKey(text: string, mayRepeat: MayRepeat): string | undefined {
  const walk: Walk = { text, mayRepeat, at: 0, repeated: undefined }
  walkValue(walk)
  return walk.repeated
}

/** False: a key was found, and the walk ends. */
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
  const held = new Map<string, string>()
  walk.at += 1
  skipBlanks(walk)
  while (walk.text[walk.at] !== '}') {
    const start = walk.at
    walk.at = endOfString(walk)
    const key = String(JSON.parse(walk.text.slice(start, walk.at)))
    skipBlanks(walk)
    // The colon.
    walk.at += 1
    skipBlanks(walk)
    const valueStart = walk.at
    if (!walkValue(walk)) return false
    const value = walk.text.slice(valueStart, walk.at)
    const earlier = held.get(key)
    if (earlier !== undefined && !walk.mayRepeat(earlier, value)) {
      walk.repeated = key
      return false
    }
    if (earlier === undefined) held.set(key, value)
    skipBlanks(walk)
    if (walk.text[walk.at] === ',') walk.at += 1
    skipBlanks(walk)
  }
  walk.at += 1
  return true
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
