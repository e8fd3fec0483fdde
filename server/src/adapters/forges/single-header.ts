import type { WebhookHeaders } from './port.ts'

/** The value of a header that came once and is of this form; null otherwise. `key` in lower case. */
export function singleHeader(headers: WebhookHeaders, key: string, pattern: RegExp): string | null {
  const value = headers[key]
  return typeof value === 'string' && pattern.test(value) ? value : null
}
