import type { Preferences } from '@signalbox/contracts/preferences'
import { preferenceRoutes } from '@signalbox/contracts/preferences/routes'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { exchange } from './call.ts'
import { ApiProblem } from './problem.ts'
import { readDocument } from './queries.ts'
import { useMe } from './session.ts'
import { newKey } from './write-keys.ts'

export type { Preferences } from '@signalbox/contracts/preferences'

export const preferencesQuery = {
  ...readDocument(preferenceRoutes.getPreferences),
  staleTime: Number.POSITIVE_INFINITY,
}
const ATTEMPTS = 3
/** Changes of this tab come one after the other, so that they never meet each other. */
let lastChange: Promise<unknown> = Promise.resolve()

/** How the person likes the page; undefined while that is being asked, and for those who are no users. */
export function usePreferences(): Preferences | undefined {
  return usePreferencesAsked().preferences
}

/** Like `usePreferences`, with whether they are still being asked: the answer may be that there are none. */
export function usePreferencesAsked(): { readonly preferences: Preferences | undefined; readonly isAsked: boolean } {
  const isUser = useMe()?.kind === 'user'
  const { data, isLoading } = useQuery({ ...preferencesQuery, enabled: isUser })
  return { preferences: data?.body, isAsked: isLoading }
}

/**
 * Changes some preferences and keeps the others as they are on the server: another tab may have changed them, then the change
 * is made to the newer document.
 */
export function useChangePreferences(): (change: (before: Preferences) => Preferences) => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    (change) => {
      const changed = lastChange.then(() => save(client, change))
      lastChange = changed.catch(() => undefined)
      return changed
    },
    [client],
  )
}

async function save(client: QueryClient, change: (before: Preferences) => Preferences): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { body, etag } = await exchange(preferenceRoutes.getPreferences, {})
    const parts = { body: change(body), ifMatch: etag, idempotencyKey: newKey() }
    try {
      const saved = await exchange(preferenceRoutes.replacePreferences, parts)
      client.setQueryData(preferencesQuery.queryKey, saved)
      return
    } catch (error) {
      const isConflict = error instanceof ApiProblem && error.status === 409
      if (!isConflict || attempt === ATTEMPTS) throw error
    }
  }
}
