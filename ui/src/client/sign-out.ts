import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from './call.ts'
import { forgetSignIn } from './session-hint.ts'

/** Ends the session and forgets everything that was read with it. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(async () => {
    await call(sessionRoutes.signOut)
    forgetSignIn()
    queries.clear()
  }, [queries])
}
