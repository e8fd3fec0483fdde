import { useEffect, useEffectEvent, useState } from 'react'
import type { LogEntry } from './log-entry.ts'
import { type Found, type Hit, type SearchWish, searchLog } from './search-log.ts'

export interface LogSearch {
  readonly hits: readonly Hit[]
  readonly isDone: boolean
  readonly error: Error | undefined
}

const NOTHING: LogSearch = { hits: [], isDone: true, error: undefined }
const BEGUN: LogSearch = { hits: [], isDone: false, error: undefined }
/** A person who types is not asked for each letter. */
const PAUSE_MS = 150

/** Searches the whole log on the server while the wish stays the same; `onFirst` is told of the first hit. */
export function useLogSearch(
  { runId, text, isExpression, step, task, attempt }: SearchWish,
  onFirst: (line: LogEntry) => void,
): LogSearch {
  const [found, setFound] = useState<{ readonly of: string; readonly search: LogSearch }>()
  const of = JSON.stringify([runId, text, isExpression, step, task, attempt])
  const tellFirst = useEffectEvent(onFirst)
  useEffect(() => {
    if (text === '') return undefined
    const gone = new AbortController()
    let isFirst = true
    const tell = ({ hits, isDone, first }: Found): void => {
      if (gone.signal.aborted) return
      setFound({ of, search: { hits, isDone, error: undefined } })
      if (isFirst && first) tellFirst(first)
      isFirst &&= first === undefined
    }
    const timer = setTimeout(() => {
      searchLog({ runId, text, isExpression, step, task, attempt }, gone.signal, tell).catch((error: unknown) => {
        if (gone.signal.aborted) return
        setFound({ of, search: { ...NOTHING, error: error instanceof Error ? error : new Error(String(error)) } })
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [of, runId, text, isExpression, step, task, attempt])
  if (text === '') return NOTHING
  return found?.of === of ? found.search : BEGUN
}
