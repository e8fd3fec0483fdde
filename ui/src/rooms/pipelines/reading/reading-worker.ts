import { readDocumentText } from './reading.ts'

// Reads documents beside the page: one of 256 KiB takes up to half a second.

interface Asked {
  readonly number: number
  readonly text: string
}

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  self.postMessage({ number: data.number, reading: readDocumentText(data.text) }, { transfer: [] })
})
