/**
 * Text from outside (names, log lines, messages) must not steer the terminal. Control characters, bidirectional
 * overrides and invisible characters are shown as \u{..} instead of being obeyed.
 */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
const UNSAFE_BUT_TAB =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
const UNSAFE_IN_LINES =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/
const COLOUR = /\u001b\[[0-9;]{0,40}m/g
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** One line of text that is safe to print anywhere. */
export function escapeText(text: string): string {
  return text.replace(UNSAFE, show)
}

/** Many lines of a task's log, each as `escapeLogLine`: most texts hold nothing to escape, and are looked at once. */
export function escapeLogText(text: string, colours: boolean): string {
  if (!UNSAFE_IN_LINES.test(text)) return text
  return text
    .split('\n')
    .map((line) => (UNSAFE_IN_LINES.test(line) ? escapeLogLine(line, colours) : line))
    .join('\n')
}

/**
 * Escapes a line of a task's log. Tabs stay; colours stay where the terminal shows them and cannot run on into the next
 * line; every other sequence is dropped.
 */
export function escapeLogLine(line: string, colours: boolean): string {
  // A carriage return redraws a progress bar: what the last redraw left is what a person would see.
  const shown = line.replace(/\r+$/, '').split('\r').at(-1) ?? ''
  if (!colours) return shown.replace(SEQUENCE, '').replace(UNSAFE_BUT_TAB, show)
  let coloured = false
  let result = ''
  let from = 0
  for (const match of shown.matchAll(COLOUR)) {
    result += clean(shown.slice(from, match.index)) + match[0]
    coloured = true
    from = match.index + match[0].length
  }
  return `${result}${clean(shown.slice(from))}${coloured ? '\u001b[0m' : ''}`
}

function clean(text: string): string {
  return text.replace(SEQUENCE, '').replace(UNSAFE_BUT_TAB, show)
}

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  return `\\u{${code.toString(16)}}`
}
