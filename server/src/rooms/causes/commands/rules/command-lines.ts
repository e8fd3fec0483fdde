/** A comment of more lines is data, not a command. */
const MOST_LINES = 10_000
const FENCE = /^(?:[ ]{0,3}|\s*(?:[-*+]|\d{1,9}[.)])\s+)(`{3,}|~{3,})(.*)$/
const QUOTE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*>/

interface Fence {
  readonly mark: string
  readonly length: number
}

/**
 * The lines of a comment that begin with a slash and that a reader sees as the author's own words. A line within a quote, a
 * fence, indented code, a code span, a comment of HTML or raw HTML is none. Where renderers differ, the line is left out: a
 * command that is missed is written again, one that nobody meant is not undone.
 */
export function commandLinesOf(body: string): readonly string[] {
  const lines = body.split(/\r\n|\r|\n/)
  if (lines.length > MOST_LINES) return []
  const found: string[] = []
  let fence: Fence | undefined
  let comment = false
  let tag: string | undefined
  let quoted = false
  let ticks = 0
  for (const line of lines) {
    if (fence) {
      if (closes(line, fence)) fence = undefined
      continue
    }
    if (!comment && tag === undefined) {
      fence = openedBy(line)
      if (fence) continue
    }
    if (line.trim() === '') {
      quoted = false
      ticks = 0
    } else if (QUOTE.test(line)) {
      // The lines behind it belong to the quote until an empty one, even without its sign.
      quoted = true
    }
    const outside = !comment && tag === undefined
    ;({ comment, tag } = afterLine(line, { comment, tag }))
    if (line.startsWith('/') && outside && !comment && tag === undefined && !quoted && ticks % 2 === 0) {
      found.push(line.trimEnd())
    }
    ticks += line.split(/`+/).length - 1
  }
  return found
}

function openedBy(line: string): Fence | undefined {
  const [, marks = '', info = ''] = FENCE.exec(line) ?? []
  const [mark] = marks
  if (mark === undefined || (mark === '`' && info.includes('`'))) return undefined
  return { mark, length: marks.length }
}

function closes(line: string, { mark, length }: Fence): boolean {
  const text = line.trim()
  return text.length >= length && text === mark.repeat(text.length)
}

interface Hidden {
  readonly comment: boolean
  readonly tag: string | undefined
}

/** What the end of the line is within. Each character is looked at once. */
function afterLine(line: string, before: Hidden): Hidden {
  let { comment, tag } = before
  if (!line.includes('<') && !line.includes('>')) return { comment, tag }
  const text = line.toLowerCase()
  const opening = /<!--|<(pre|script|style|textarea|blockquote|code)\b/g
  let at = 0
  for (;;) {
    if (comment || tag !== undefined) {
      const closing = tag === undefined ? '-->' : `</${tag}`
      const end = text.indexOf(closing, at)
      if (end === -1) return { comment, tag }
      at = end + closing.length
      comment = false
      tag = undefined
    }
    opening.lastIndex = at
    const found = opening.exec(text)
    if (!found) return { comment, tag }
    at = opening.lastIndex
    tag = found[1]
    comment = tag === undefined
  }
}
