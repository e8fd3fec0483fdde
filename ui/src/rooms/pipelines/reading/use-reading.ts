import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Reading } from './reading.ts'

interface Answered {
  readonly number: number
  readonly reading: Reading
}

let worker: Worker | undefined
let asked = 0

/** Reads a document in a worker, which is started by the first one. */
function ask(text: string): Promise<Reading> {
  const current = (worker ??= new Worker(new URL('./reading-worker.ts', import.meta.url), { type: 'module' }))
  asked += 1
  const number = asked
  return new Promise((resolve, reject) => {
    const end = (): void => {
      current.removeEventListener('message', onMessage)
      current.removeEventListener('error', onError)
    }
    const onMessage = ({ data }: MessageEvent<Answered>): void => {
      if (data.number !== number) return
      end()
      resolve(data.reading)
    }
    const onError = (): void => {
      end()
      worker = undefined
      reject(new Error('The document could not be read in this browser.'))
    }
    current.addEventListener('message', onMessage)
    current.addEventListener('error', onError)
    current.postMessage({ number, text }, { transfer: [] })
  })
}

function readingOf(text: string) {
  return queryOptions({
    queryKey: ['reading', text],
    queryFn: () => ask(text),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
}

/** What the document says; the former reading while a newer text is read, undefined before the first. */
export function useReading(text: string): Reading | undefined {
  return useQuery(readingOf(text)).data
}
