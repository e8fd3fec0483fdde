import { StringDecoder } from 'node:string_decoder'

/** Larger messages are refused by the endpoint. */
const MOST_CHARACTERS = 4 * 1024 * 1024

/**
 * The lines of a stream. Only `\n` ends one: other characters that readers of text take for an end stand within JSON. Throws
 * where a line never ends.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.write(Buffer.from(chunk)).split('\n')
    rest.push(first)
    length += first.length
    for (const next of others) {
      yield rest.join('')
      rest = [next]
      length = next.length
    }
    if (length > MOST_CHARACTERS) throw new Error(`a message is longer than ${MOST_CHARACTERS} characters`)
  }
  const last = rest.join('') + decoder.end()
  if (last !== '') yield last
}
