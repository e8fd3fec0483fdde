/** What was read of an answer's body, at most so much of it. */
type ReadText =
  | { readonly outcome: 'text'; readonly text: string }
  | { readonly outcome: 'too_long' }
  | { readonly outcome: 'broken'; readonly code: string }

/** Leaving the loop cancels the rest: a body of 1 GB costs what was read of it. */
export async function readText(response: Response, most: number): Promise<ReadText> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > most) return { outcome: 'too_long' }
      chunks.push(chunk)
    }
    return { outcome: 'text', text: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    return { outcome: 'broken', code: codeOf(error) }
  }
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code)
  return error.name
}
