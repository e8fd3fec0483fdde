import { takesLong } from '@signalbox/pipeline/document'
import type { Kit } from '#platform/room'
import { createSecondThread, openThread } from '#platform/threads'
import { type ManifestReading, readManifest } from '../rules/index.ts'

/** Reads large manifests in a second thread, so that nothing else waits for them. */
export function createManifestReader(kit: Pick<Kit, 'clock' | 'log'>): (text: string) => Promise<ManifestReading> {
  const second = createSecondThread(kit, {
    what: 'reads large manifests',
    here: readManifest,
    toMessage: (text: string) => ({ message: text, transfer: [] }),
    open: () => openThread<string, ManifestReading>(new URL('./read-in-thread.ts', import.meta.url)),
  })
  return async (text) => (takesLong(text) ? second.ask(text) : readManifest(text))
}
