/** What tells a line from another stands in its beginning; the rest of a dump of data would only cost time. */
const MOST_CHARACTERS = 1000

// Colours and other sequences of a terminal, titles of windows and links among them.
const SEQUENCES = /\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?/g
// A tab is a blank; all other control characters say nothing.
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/g
const ANY_CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}'
const UNITS = '(?:ns|us|µs|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|[kKMGT]?i?B(?:/s)?|bytes)'

/** What differs from run to run: at each place the first of these that fits. */
const VARIABLE = new RegExp(
  [
    // Temporary files of Unix, macOS and Windows, up to the name that was made up.
    '(?:/private)?/(?:var/)?tmp/+[^\\s/:\'")\\]]+',
    '/var/folders/[^\\s/]+/[^\\s/]+/T/+[^\\s/:\'")\\]]+',
    '[A-Za-z]:\\\\(?:[^\\s\\\\]+\\\\)*Temp\\\\[^\\s\\\\:\'")\\]]+',
    // No border beside it: a digit there becomes one.
    '[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}',
    // Hashes and addresses; a word without a digit is a word.
    '\\b0[xX][0-9A-Fa-f]+\\b',
    '\\b(?=[A-Fa-f]*[0-9])[0-9A-Fa-f]{7,}\\b',
    `\\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?${MONTH}\\.? \\d+`,
    // Numbers, versions, times and dates; durations and sizes with their unit.
    `\\d+(?:[.,:/-]\\d+)*(?: ?${UNITS}\\b|%)?`,
  ].join('|'),
  'g',
)

/** A line as a terminal shows it at last: without colours, and of what overwrites itself only the last. */
export function plainLine(text: string): string {
  if (!ANY_CONTROL.test(text)) return text
  let end = text.length
  // By hand: an expression would begin anew at each of many returns.
  while (text[end - 1] === '\r') end -= 1
  const shown = text.slice(end === 0 ? 0 : text.lastIndexOf('\r', end - 1) + 1, end)
  return shown.replace(SEQUENCES, '').replace(CONTROLS, '')
}

/**
 * A line as it would be in another run: without times, numbers, hashes, temporary names and colours. Empty where no letter
 * is left. A normalised line stays as it is.
 */
export function normaliseLine(text: string): string {
  const plain = plainLine(text).slice(0, MOST_CHARACTERS).replace(/\s+/g, ' ').trim()
  const constant = plain.replace(VARIABLE, '#')
  return /\p{L}/u.test(constant) ? constant : ''
}

/**
 * 53 bits for a normalised line (cyrb53): of a million lines two that share them are less likely than a broken disk. Texts
 * of that many lines would take ten times the memory.
 */
export function hashLine(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return 4294967296 * (2097151 & low) + (high >>> 0)
}
