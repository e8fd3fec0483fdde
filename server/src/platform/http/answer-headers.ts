/** The headers of every answer, by name. */
export type AnswerHeaders = Readonly<Record<string, string>>

/** Nothing of an answer may run or be framed. The pages, which are the exception, name policies of their own. */
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"
/** Files that tasks or people made: a browser that shows one gives it an origin of its own, without scripts. */
const FOREIGN_FILE = `sandbox; ${NOTHING_RUNS}`
/** A browser that came by https comes by https alone for a year. */
const HTTPS_ALONE = 'max-age=31536000'

/** `baseUrl` is the address under which browsers reach the service; on plain http they ignore the last header. */
export function answerHeaders(baseUrl: string | undefined): AnswerHeaders {
  return {
    'content-security-policy': NOTHING_RUNS,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(baseUrl?.startsWith('https:') ? { 'strict-transport-security': HTTPS_ALONE } : {}),
  }
}

/** What an answer that names a file, as an attachment or inline, adds to its own headers. */
export function headersOfFile(headers: AnswerHeaders): AnswerHeaders {
  return 'content-disposition' in headers ? { 'content-security-policy': FOREIGN_FILE } : {}
}
