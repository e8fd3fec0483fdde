// Where in a YAML document the cursor stands, found by its lines alone: the text is mostly incomplete while one types.

/** A level of the document: the key of a map, or an item of a list. */
export type Level = string | typeof ITEM
export const ITEM = 0

export interface PlaceInYaml {
  /** The levels from the outside in; of a value with its own key. */
  readonly path: readonly Level[]
  readonly kind: 'key' | 'value'
  /** What was typed so far, and where it begins. */
  readonly typed: string
  readonly from: number
  /** Keys that the map at the place already has. */
  readonly siblings: readonly string[]
  /** Within braces or brackets. */
  readonly isFlow: boolean
  /** Column of the key. */
  readonly indent: number
}

interface Token {
  readonly column: number
  /** Undefined: the dash of an item. */
  readonly key?: string
}

interface Line {
  readonly tokens: readonly Token[]
  /** What follows the tokens. */
  readonly rest: string
  readonly restColumn: number
}

const KEY = /^("[^"]*"|'[^']*'|[^\s#'"{}[\],&*!|>%@`-][^\s:{}[\],]*|-[^\s:{}[\],]+)\s*:(?:\s+|$)/
const BLOCK_TEXT = /^[|>][+-]?\d?[+-]?\s*(#.*)?$/

function readLine(text: string): Line {
  const tokens: Token[] = []
  let column = text.length - text.trimStart().length
  for (;;) {
    const rest = text.slice(column)
    const dash = /^-(\s+|$)/.exec(rest)
    if (dash) {
      tokens.push({ column })
      column += dash[0].length
      continue
    }
    const key = KEY.exec(rest)
    if (key?.[1] === undefined) return { tokens, rest, restColumn: column }
    tokens.push({ column, key: unquote(key[1]) })
    column += key[0].length
    // A key in a line is followed by its value: only dashes stand in front of one.
    return { tokens, rest: text.slice(column), restColumn: column }
  }
}

function unquote(key: string): string {
  return /^(["']).*\1$/.test(key) ? key.slice(1, -1) : key
}

function isEmpty(line: string): boolean {
  return /^\s*(#.*)?$/.test(line)
}

/** The place at an offset; undefined inside of a text block, a comment, or where a line cannot be understood. */
export function placeInYaml(text: string, offset: number): PlaceInYaml | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const above = text.slice(0, start).split('\n').slice(0, -1)
  const current = text.slice(start, offset)
  if (/(^|\s)#/.test(current)) return undefined
  const { tokens, rest, restColumn } = readLine(current)
  const first = tokens[0]?.column ?? restColumn
  const parents = parentsOf(above, first, tokens.length > 0 && tokens[0]?.key === undefined)
  if (parents === undefined) return undefined
  const path: Level[] = [...parents, ...tokens.map(({ key }) => key ?? ITEM)]
  const last = tokens.at(-1)
  if (/^[{[]/.test(rest)) return placeInFlow(rest, { path, from: start + restColumn, indent: first })
  const common = { typed: rest, from: start + restColumn, isFlow: false }
  if (last?.key !== undefined) {
    return BLOCK_TEXT.test(rest) ? undefined : { ...common, path, kind: 'value', siblings: [], indent: last.column }
  }
  // Nothing, or the beginning of a word: a key, or the value of an item.
  if (/[\s:]/.test(rest)) return undefined
  const below = text.slice(offset).split('\n').slice(1)
  const siblings = siblingsOf(above, below, restColumn, tokens.length > 0)
  return { ...common, path, kind: 'key', siblings, indent: restColumn }
}

/** The levels above a line whose first token stands in that column. */
function parentsOf(above: readonly string[], column: number, isItem: boolean): readonly Level[] | undefined {
  const levels: Level[] = []
  let limit = column
  // An item may stand in the column of the key whose list it is of.
  let keyLimit = isItem ? column + 1 : column
  for (let index = above.length - 1; index >= 0 && (limit > 0 || keyLimit > 0); index -= 1) {
    const line = above[index] ?? ''
    if (isEmpty(line)) continue
    const { tokens, rest } = readLine(line)
    for (const { column: at, key } of tokens.toReversed()) {
      if (key === undefined ? at >= limit : at >= keyLimit) continue
      if (key !== undefined && rest.trim() !== '' && !/^[#&]/.test(rest)) return undefined
      levels.unshift(key ?? ITEM)
      limit = at
      keyLimit = key === undefined ? at + 1 : at
    }
    // A line further out that is no map and no list belongs to a text.
    if (tokens.length === 0 && line.length - line.trimStart().length < limit) return undefined
  }
  return levels
}

/** The other keys of the map that has its keys in that column. */
function siblingsOf(above: readonly string[], below: readonly string[], column: number, begins: boolean): string[] {
  const found: string[] = []
  const collect = (lines: readonly string[], isAbove: boolean): void => {
    for (const line of lines) {
      if (isEmpty(line)) continue
      const { tokens } = readLine(line)
      const first = tokens[0]?.column ?? line.length - line.trimStart().length
      const key = tokens.find((token) => token.column === column)?.key
      const isOther = first < column && !isAbove
      if (key !== undefined && !isOther) found.push(key)
      // A dash in front of the column begins the item.
      if (first < column) return
    }
  }
  if (!begins) collect(above.toReversed(), true)
  collect(below, false)
  return found
}

interface Frame {
  readonly isMap: boolean
  readonly keys: string[]
  key?: string | undefined
}

interface Outside {
  readonly path: readonly Level[]
  readonly from: number
  readonly indent: number
}

/** The place within `{ … }` and `[ … ]` of one line. */
function placeInFlow(text: string, { path, from, indent }: Outside): PlaceInYaml | undefined {
  const frames: Frame[] = []
  let begin = 0
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    const frame = frames.at(-1)
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (/["']/.test(char) && text.slice(begin, at).trim() === '') quote = char
    else if (char === '{' || char === '[') {
      frames.push({ isMap: char === '{', keys: [] })
      begin = at + 1
    } else if (char === '}' || char === ']') {
      frames.pop()
      begin = at + 1
    } else if (char === ',') {
      if (frame) frame.key = undefined
      begin = at + 1
    } else if (char === ':' && frame?.isMap && frame.key === undefined && /[\s,}]|^$/.test(text[at + 1] ?? '')) {
      frame.key = unquote(text.slice(begin, at).trim())
      frame.keys.push(frame.key)
      begin = at + 1
    }
  }
  const last = frames.at(-1)
  if (last === undefined || quote !== '') return undefined
  const rest = text.slice(begin)
  const typed = rest.trimStart()
  const levels = frames.flatMap(({ isMap, key }): Level[] => (isMap ? (key === undefined ? [] : [key]) : [ITEM]))
  return {
    path: [...path, ...levels],
    kind: last.isMap && last.key === undefined ? 'key' : 'value',
    typed,
    from: from + begin + (rest.length - typed.length),
    siblings: last.keys,
    isFlow: true,
    indent,
  }
}
