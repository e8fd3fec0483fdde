/** A line that opens or closes a part of the log which a reader may fold away. */
export interface Fold {
  readonly kind: 'start' | 'end'
  /** Empty where the line gives none. */
  readonly title: string
}

// GitHub: ::group::title and ::endgroup::; its older form and that of Azure: ##[group]title and ##[endgroup].
const GITHUB = /^(?:::|##\[)(group|endgroup)(?:::|\])(.*)$/s
// GitLab: an erase, section_start:<time>:<name>[<options>], a carriage return, an erase, the title.
const GITLAB =
  /^(?:\x1b\[0K)?section_(start|end):\d{1,20}:([A-Za-z0-9_.-]{1,200})(?:\[[^\]]*\])?(?:\r?\x1b\[0K|\r|$)(.*)$/s
// Colours and the like; what is shown as a title is text.
const ANSI = /\x1b\[[0-9;:?]*[ -/]*[@-~]/g

/** Most lines are none, as their first character tells: colon, hash, escape or s. */
export function mayFold(first: number | undefined): boolean {
  return first === 0x3a || first === 0x23 || first === 0x1b || first === 0x73
}

/** The fold that a line begins or ends; undefined for any other line. */
export function readFold(text: string): Fold | undefined {
  if (!mayFold(text.charCodeAt(0))) return undefined
  const github = GITHUB.exec(text)
  if (github) return fold(github[1] === 'group', github[2] ?? '')
  const gitlab = GITLAB.exec(text)
  if (!gitlab) return undefined
  const title = plain(gitlab[3] ?? '')
  return fold(gitlab[1] === 'start', title === '' ? (gitlab[2] ?? '') : title)
}

function fold(isStart: boolean, title: string): Fold {
  return { kind: isStart ? 'start' : 'end', title: plain(title) }
}

function plain(text: string): string {
  return text.replaceAll(ANSI, '').replaceAll('\r', '').trim()
}
