/** Texts that try to run, to lead away, to reorder what stands around them, or to break the layout. */
const SCRIPT = `<script>ran()</script><img src=x onerror="ran()"><svg/onload=ran()>"'><b onmouseover=ran()>{{ran()}}`
const LINK = '[here](javascript:ran()) <javascript:ran()> javascript:ran() data:text/html,<script>ran()</script>'
const TERMINAL = '\u001b]8;;javascript:ran()\u0007click\u001b]8;;\u0007\u001b[2J\u001b[31mred\u001b[999C\u009b'
const BIDI = '\u202egnp.exe\u202c \u2066right\u2069 \u200fleft'
const ZERO = 'ad\u200bmin\ufeff\u2060\u{e0041}'

export const LONG_LINE = 65_536
export const TOWER = 100_000

/** As many combining marks on one letter. */
export function tower(marks: number): string {
  return `Z${'\u0301'.repeat(marks)}`
}

/**
 * A text of at most `max` UTF-16 units for a field that takes any: all of the above, a tower of marks, and one word
 * without end. `kind` leaves out what a field refuses.
 */
export function hostile(max: number, kind: Kind = 'all'): string {
  const parts = {
    all: [BIDI, ZERO, SCRIPT, TERMINAL, LINK],
    'no controls': [BIDI, ZERO, SCRIPT, LINK],
    visible: [SCRIPT, LINK],
  }[kind]
  const lead = parts.join(' ').slice(0, max)
  const marks = kind === 'visible' ? '' : tower(Math.max(0, Math.min(TOWER, Math.floor((max - lead.length) / 2) - 2)))
  return `${lead} ${marks} `.slice(0, max).padEnd(max, 'W')
}

export const KINDS = ['all', 'no controls', 'visible'] as const
export type Kind = (typeof KINDS)[number]

/** A name of letters alone, as long as the field takes: it has no place to break. */
export function longName(begin: string, max: number): string {
  return begin.padEnd(max, 'w')
}
