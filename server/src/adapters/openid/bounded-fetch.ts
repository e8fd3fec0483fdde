import type { CustomFetch } from 'openid-client'

/** The provider does not answer, or cannot now. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
  readonly code = 'openid.away'
}

/** Room for the claims of a person in some thousand groups. */
const MAX_BYTES = 1024 * 1024

/** A fetch that follows no redirect, reads at most 1 MiB, and throws ProviderAway where it may go well later. */
export const boundedFetch: CustomFetch = async (url, options) => {
  let response: Response
  try {
    response = await fetch(url, { ...options, body: options.body ?? null, redirect: 'manual' })
  } catch (error) {
    throw new ProviderAway(`it could not be reached (${codeOf(error)})`, { cause: error })
  }
  const { status, headers } = response
  if (status === 429 || status >= 500) {
    await response.body?.cancel().catch(() => undefined)
    throw new ProviderAway(`it answered ${status}`)
  }
  const bytes = await readBody(response)
  return new Response(bytes.length === 0 ? null : bytes, { status, headers })
}

async function readBody(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > MAX_BYTES) throw new TooLong()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof TooLong) throw error
    throw new ProviderAway(`its answer broke off (${codeOf(error)})`, { cause: error })
  }
  return Buffer.concat(chunks)
}

class TooLong extends Error {
  override readonly name = 'TooLong'
  readonly code = 'openid.answer_too_long'
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : error.name
}
