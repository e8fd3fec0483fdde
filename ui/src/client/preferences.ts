import type { Preferences } from '@signalbox/contracts/preferences'
import { preferenceRoutes } from '@signalbox/contracts/preferences/routes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { exchange } from './call.ts'
import { ApiProblem } from './problem.ts'
import { newKey, readDocument } from './queries.ts'
import { useMe } from './session.ts'

export type { Preferences } from '@signalbox/contracts/preferences'

const query = readDocument(preferenceRoutes.getPreferences)
const ATTEMPTS = 3

/** How the person likes the page; undefined while that is being asked, and for those who are no users. */
export function usePreferences(): Preferences | undefined {
  const isUser = useMe()?.kind === 'user'
  return useQuery({ ...query, enabled: isUser, staleTime: Number.POSITIVE_INFINITY }).data?.body
}

/**
 * Changes some preferences and keeps the others as they are on the server: another tab may have changed them, then the change
 * is made to the newer document.
 */
export function useChangePreferences(): (change: (before: Preferences) => Preferences) => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    async (change) => {
      for (let attempt = 1; ; attempt++) {
        const { body, etag } = await exchange(preferenceRoutes.getPreferences, {})
        const parts = { body: change(body), ifMatch: etag, idempotencyKey: newKey() }
        try {
          const saved = await exchange(preferenceRoutes.replacePreferences, parts)
          client.setQueryData(query.queryKey, saved)
          return
        } catch (error) {
          const isConflict = error instanceof ApiProblem && error.status === 409
          if (!isConflict || attempt === ATTEMPTS) throw error
        }
      }
    },
    [client],
  )
}
