import { type ParseResult, parsePipeline, takesLong } from '@signalbox/pipeline/document'
import type { Kit } from '#platform/room'
import { createSecondThread, openThread } from '#platform/threads'
import type { Means } from '../means.ts'

/** Parses large documents in a second thread, so that no other request waits. */
export function createDocumentParser(kit: Pick<Kit, 'clock' | 'log'>, open = openParsingThread): Means['parse'] {
  const second = createSecondThread(kit, {
    what: 'parses large pipeline documents',
    here: (text: string) => parsePipeline(text),
    toMessage: (text) => ({ message: text, transfer: [] }),
    open,
  })
  return async (text) => (takesLong(text) ? second.ask(text) : parsePipeline(text))
}

function openParsingThread() {
  return openThread<string, ParseResult>(new URL('./parse-in-thread.ts', import.meta.url))
}
