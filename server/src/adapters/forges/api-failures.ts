import type { ForgeFailure } from './port.ts'

/** What a refusing answer told, as far as a reason may hold it. */
export interface Refusal {
  readonly status: number
  readonly headers: Headers
  /** The cleaned `message`; undefined where none was read. */
  readonly message: string | undefined
  /** Whether the reason is to name the message. */
  readonly quoted: boolean
}

/** Longer pauses than a day are no advice. */
const LONGEST_PAUSE_MS = 86_400_000
/** GitHub asks for at least a minute after a secondary limit that names no time. */
const USUAL_PAUSE_MS = 60_000
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

export function failed(
  reason: string,
  retry: boolean,
  more: Omit<Partial<ForgeFailure>, 'outcome'> = {},
): ForgeFailure {
  return { outcome: 'failed', reason, retry, ...more }
}

/** The answer to an unexpected status; 404 and 410 are none of them. */
export function refused({ status, headers, message, quoted }: Refusal): ForgeFailure {
  const retryAfterMs = readPause(headers)
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (isLimited(status, headers, message)) {
    const wait = retryAfterMs ?? (status === 403 ? USUAL_PAUSE_MS : undefined)
    const advice = wait === undefined || wait === 0 ? '' : `; ask again in ${Math.ceil(wait / 1000)} s`
    const more = wait === undefined ? {} : { retryAfterMs: wait }
    return failed(`The provider limits the rate of calls${advice}.`, true, { cause: 'limited', status, ...more })
  }
  if (status === 403 && /\binstallation has been suspended\b/i.test(message ?? '')) {
    const reason = 'The installation is suspended at the provider; its owner can end the suspension there.'
    return failed(reason, false, { cause: 'suspended', status })
  }
  const said = quoted && message !== undefined ? ` and says: "${message}"` : ''
  if (status === 401 || status === 403) {
    return failed(`The provider refused the credential (${status})${said}.`, false, { cause: 'refused', status })
  }
  if (status >= 300 && status < 400) {
    return failed(
      `The provider redirects (${status}): the repository was renamed, or base_url is not its address.`,
      false,
      { status },
    )
  }
  return failed(`The provider answered ${status}${said}.`, status === 408 || status >= 500, { status, ...pause })
}

/** The time of an answer by the provider's clock, in milliseconds since 1970; undefined where it names none. */
export function readAnswerTime(headers: Headers): number | undefined {
  return readHttpDate(headers.get('date'))
}

function isLimited(status: number, headers: Headers, message: string | undefined): boolean {
  if (status === 429) return true
  if (status !== 403) return false
  const none = headers.get('x-ratelimit-remaining') === '0'
  return none || headers.has('retry-after') || /\brate limit\b/i.test(message ?? '')
}

/**
 * How long the provider wants not to be asked. A time is compared with the answer's own Date, so that a wrong clock of
 * this machine does not count.
 */
function readPause(headers: Headers): number | undefined {
  const after = headers.get('retry-after')
  if (after !== null)
    return /^\d{1,9}$/.test(after) ? bounded(Number(after) * 1000) : until(readHttpDate(after), headers)
  const left = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining')
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? ''
  return left === '0' && /^\d{9,11}$/.test(reset) ? until(Number(reset) * 1000, headers) : undefined
}

function until(instant: number | undefined, headers: Headers): number | undefined {
  const answered = readAnswerTime(headers)
  return instant === undefined || answered === undefined ? undefined : bounded(instant - answered)
}

function bounded(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), LONGEST_PAUSE_MS)
}

/** Milliseconds since 1970. */
export function readHttpDate(value: string | null): number | undefined {
  if (value === null || !HTTP_DATE.test(value)) return undefined
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? undefined : instant
}
