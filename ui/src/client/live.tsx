import type { Operation } from '@signalbox/contracts/http/routes'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import { connection } from './connection.ts'
import { type LiveEvent, LiveStream } from './live-stream.ts'
import { followable } from './live-topics.ts'
import { invalidate } from './queries.ts'
import { Repeated } from './repeated.ts'
import { useMe } from './session.ts'
import { watchVersion } from './version.ts'
import { watchAbsence } from './watch-absence.ts'

const LiveContext = createContext<LiveStream | undefined>(undefined)

/** One stream for the whole tab, whatever its pages listen to. */
export function LiveProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [stream] = useState(() => new LiveStream(connection))
  useEffect(() => stream.open(), [stream])
  useEffect(() => watchVersion(), [])
  useEffect(() => watchAbsence(connection), [])
  return <LiveContext value={stream}>{children}</LiveContext>
}

/**
 * While the component is shown, a change of the topic makes old what these routes answered. `onEvent` hears of each
 * change besides.
 */
export function useLive(
  topics: readonly string[],
  changes: readonly Operation[],
  onEvent?: (event: LiveEvent) => void,
): void {
  const stream = useContext(LiveContext)
  const client = useQueryClient()
  const key = followable(topics, useMe()?.capabilities.permissions).join(' ')
  const renew = useEffectEvent(() => invalidate(client, changes))
  const tell = useEffectEvent((event: LiveEvent) => onEvent?.(event))
  useEffect(() => {
    if (!stream || key === '') return undefined
    // A burst would otherwise cancel each reading for the next, and show nothing until it is over.
    const reading = new Repeated(() => renew())
    return stream.listen(key.split(' '), (event) => {
      reading.ask()
      tell(event)
    })
  }, [stream, key])
}
