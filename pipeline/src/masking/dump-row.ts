const NEWLINE = 0x0a
const SPACE = 0x20
const TAB = 0x09
const COLON = 0x3a

/** A longer line is no row: `xxd -c 64` writes some 240 characters. */
export const LONGEST_ROW = 512

/** Where the digits of a row of a hexadecimal or octal dump stand. */
export interface DumpRow {
  readonly start: number
  readonly end: number
}

export function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46)
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB
}

/** Whether the line that begins at `from` can be a row of a dump, as far as it is known. */
export function mayBeDumpRow(bytes: Uint8Array, from: number, end: number): boolean {
  let at = from
  while (at < end && isBlank(bytes[at])) at++
  if (bytes[at] === 0x30 && bytes[at + 1] === 0x78) at += 2
  const offset = at
  while (at < end && isHexDigit(bytes[at] ?? 0)) at++
  return at === end || (at > offset && (isBlank(bytes[at]) || bytes[at] === COLON))
}

/**
 * The digits of a row as `xxd`, `hexdump`, `od` and `tcpdump -X` write it: an offset, groups of digits, and perhaps the same
 * bytes as text. Undefined for any other line. `end` is where the line ends, without its line break.
 */
export function readDumpRow(bytes: Uint8Array, from: number, end: number): DumpRow | undefined {
  if (end - from > LONGEST_ROW) return undefined
  let at = from
  while (at < end && isBlank(bytes[at])) at++
  if (bytes[at] === 0x30 && bytes[at + 1] === 0x78) at += 2
  const offset = at
  while (at < end && isHexDigit(bytes[at] ?? 0)) at++
  if (at - offset < 4 || at - offset > 16) return undefined
  if (bytes[at] === COLON) at++
  if (!isBlank(bytes[at])) return undefined
  while (at < end && isBlank(bytes[at])) at++
  const start = at
  const groups = endOfGroups(bytes, start, end)
  return groups === undefined ? undefined : { start, end: groups }
}

/** All groups have one width and stand equally far apart; `hexdump -C` leaves one blank more after the eighth byte. */
function endOfGroups(bytes: Uint8Array, from: number, end: number): number | undefined {
  let at = from
  let last: number | undefined
  let width = 0
  let apart = 0
  for (let groups = 1; at < end; groups++) {
    const group = at
    while (at < end && isHexDigit(bytes[at] ?? 0)) at++
    const length = at - group
    width ||= length
    // The last group of a row may be shorter.
    if (length < 2 || length > Math.min(width, 8) || (at < end && !isBlank(bytes[at]))) return last
    last = at
    while (at < end && isBlank(bytes[at])) at++
    apart ||= at - last
    const isMiddle = width === 2 && groups === 8 && at - last === apart + 1
    if (length < width || apart > 8 || (at - last !== apart && !isMiddle)) return last
  }
  return last
}

/** The place of the line break that ends the line at `from`, or -1. */
export function endOfLine(bytes: Uint8Array, from: number): number {
  return bytes.indexOf(NEWLINE, from)
}
