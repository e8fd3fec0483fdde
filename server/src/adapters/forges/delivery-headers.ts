import { MEDIA_HEADERS } from './json-body.ts'
import type { Forge, WebhookHeaders } from './port.ts'
import { FORGES } from './registry.ts'

/** Credentials of HTTP itself, whichever provider a sender says that it is. */
const HTTP_CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie']

/** Of all forges: a webhook that was set up for another provider sends that provider's credentials. */
const CREDENTIALS = new Set([...HTTP_CREDENTIALS, ...FORGES.flatMap(({ webhooks }) => webhooks.credentialHeaders)])
const NOTED = new Set(FORGES.flatMap(({ webhooks }) => webhooks.notedHeaders))

/** Headers as they are kept with a payload, less credentials. */
export function keepHeaders(headers: WebhookHeaders): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value === undefined) continue
    if (!CREDENTIALS.has(name)) kept[name] = typeof value === 'string' ? value : value.join(', ')
    else if (NOTED.has(name)) kept[name] = '(removed)'
  }
  return kept
}

/**
 * The first header that decides something for the forge and came twice. `rawHeaders` are names and values in turn, as
 * they came. `headers` holds the same by name, and has as many entries where no header came twice.
 */
export function findRepeatedHeader(
  { webhooks }: Forge,
  rawHeaders: readonly string[],
  headers: WebhookHeaders,
): string | undefined {
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined
  const deciding = new Set<string>([...MEDIA_HEADERS, ...webhooks.decisiveHeaders])
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!deciding.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}
