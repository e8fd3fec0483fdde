import { stableBelow } from './stable-hash.ts'

interface FieldKind {
  readonly name: string
  readonly from: number
  readonly to: number
  /** The last value that H takes: each month has a day 28. */
  readonly lastOfHash: number
}

const SECONDS: FieldKind = { name: 'second', from: 0, to: 59, lastOfHash: 59 }
const FIELDS: readonly FieldKind[] = [
  { name: 'minute', from: 0, to: 59, lastOfHash: 59 },
  { name: 'hour', from: 0, to: 23, lastOfHash: 23 },
  { name: 'day of month', from: 1, to: 31, lastOfHash: 28 },
  { name: 'month', from: 1, to: 12, lastOfHash: 12 },
  { name: 'day of week', from: 0, to: 7, lastOfHash: 6 },
]

const SHORT_FORMS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const MAX_EXPRESSION = 200

/** The fields of an expression without short forms, H and `?`: what every cron reads. Or the sentence that says what is wrong. */
export type CronFields =
  | { readonly ok: true; readonly fields: readonly string[]; readonly everyHour: boolean }
  | { readonly ok: false; readonly message: string }

export function readCronFields(expression: string, id: string): CronFields {
  if (expression.length > MAX_EXPRESSION) return refuse(`The expression is longer than ${MAX_EXPRESSION} characters.`)
  const text = expression.trim()
  if (text.startsWith('@')) return readShortForm(text, id)
  const parts = text === '' ? [] : text.split(/\s+/)
  if (parts.length !== 5 && parts.length !== 6) {
    const count = parts.length === 1 ? '1 field' : `${parts.length} fields`
    return refuse(
      `The expression has ${count}: write five (minute, hour, day of month, month, day of week), or six with the second first.`,
    )
  }
  const kinds = parts.length === 6 ? [SECONDS, ...FIELDS] : FIELDS
  const fields: string[] = []
  for (const [index, kind] of kinds.entries()) {
    const field = readField((parts[index] ?? '').toUpperCase(), kind, id)
    if (!field.ok) return field
    fields.push(field.value)
  }
  const hour = fields.at(-4)
  return { ok: true, fields, everyHour: hour === '*' || hour === '*/1' || hour === '0-23' }
}

function readShortForm(text: string, id: string): CronFields {
  const form = text.toLowerCase()
  const long = Object.hasOwn(SHORT_FORMS, form) ? SHORT_FORMS[form] : undefined
  if (long !== undefined) return readCronFields(long, id)
  if (form === '@reboot') return refuse('@reboot names no time: a schedule does not see restarts.')
  return refuse(
    `${text.slice(0, 20)} is not known: write one of ${Object.keys(SHORT_FORMS).join(', ')}, or five fields.`,
  )
}

interface ReadField {
  readonly ok: true
  readonly value: string
}

function readField(
  text: string,
  kind: FieldKind,
  id: string,
): ReadField | { readonly ok: false; readonly message: string } {
  const isDay = kind.name.startsWith('day')
  if (text === '?') {
    return isDay ? { ok: true, value: '*' } : refuse(`"?" stands for a day only: write "*" as the ${kind.name}.`)
  }
  const strange = /[^0-9A-Z*/,#()-]/.exec(text)
  if (strange) return refuse(`The ${kind.name} "${text}" has the character "${strange[0]}", which means nothing there.`)
  if (kind.name === 'day of month' && /L-\d/.test(text)) {
    return refuse(`"${text}" counts back from the end of the month, which is not supported: write L, or a day.`)
  }
  if (kind.name === 'day of week' && /(^|,)L(,|$)/.test(text)) {
    return refuse('"L" alone is no day of the week: write 5L for the last Friday of the month, or 6 for Saturday.')
  }
  if (!/(^|,)H(?![A-Z])/.test(text)) return { ok: true, value: text }
  const values: string[] = []
  for (const item of text.split(',')) {
    const hashed = item.startsWith('H') ? resolveHash(item, kind, id) : item
    if (hashed === undefined) {
      const { from, lastOfHash } = kind
      return refuse(
        `"${item}" is not a form of H for the ${kind.name}: write H, H/15, H(0-29) or H(0-29)/10 with values from ${from} to ${lastOfHash}.`,
      )
    }
    values.push(hashed)
  }
  return { ok: true, value: values.join(',') }
}

const HASH = /^H(?:\((\d{1,2})-(\d{1,2})\))?(?:\/(\d{1,2}))?$/

/** H as in Jenkins: a value that the id and the field always have; with a step, where in the first step it begins. */
function resolveHash(item: string, kind: FieldKind, id: string): string | undefined {
  const match = HASH.exec(item)
  if (!match) return undefined
  const from = Number(match[1] ?? kind.from)
  const to = Number(match[2] ?? kind.lastOfHash)
  const step = match[3] === undefined ? undefined : Number(match[3])
  if (from < kind.from || to > kind.lastOfHash || from > to || step === 0) return undefined
  const seed = `${kind.name} of ${id}`
  if (step === undefined) return String(from + stableBelow(to - from + 1, seed))
  if (step > to - from + 1) return undefined
  return `${from + stableBelow(step, seed)}-${to}/${step}`
}

function refuse(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}
