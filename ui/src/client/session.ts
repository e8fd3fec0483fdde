import type { Permission } from '@signalbox/contracts/access'
import { identityRoutes } from '@signalbox/contracts/access/routes'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { takeBegun } from './begun.ts'
import { exchange } from './call.ts'
import { holds } from './holds.ts'
import { notePageUser } from './page-user.ts'
import { read } from './queries.ts'

export type Me = SuccessOf<typeof identityRoutes.getMe>

/** Whoever is signed in now, though it be somebody else than before: asked again when the tab is shown. */
export const meQuery = queryOptions({
  ...read(identityRoutes.getMe),
  queryFn: async ({ signal }): Promise<Me> => {
    const { body } = await exchange(identityRoutes.getMe, { isForAnybody: true, signal, begun: takeBegun() })
    notePageUser(body.id)
    return body
  },
  refetchOnWindowFocus: 'always',
})

/** Who is signed in; undefined while that is being asked. */
export function useMe(): Me | undefined {
  return useQuery(meQuery).data
}

/**
 * Whether the person holds a permission at a team or above it, or anywhere, so that buttons are offered or not. The server decides
 * each request all the same.
 */
export function useMayDo(): (permission: Permission, teamPath: string | undefined) => boolean {
  const me = useMe()
  return useCallback(
    (permission, teamPath) => me !== undefined && holds(me.capabilities.permissions, permission, teamPath),
    [me],
  )
}
