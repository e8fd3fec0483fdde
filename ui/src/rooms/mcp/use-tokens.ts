import { tokenRoutes } from '@signalbox/contracts/access/routes'
import { useQuery } from '@tanstack/react-query'
import { itemsOf, readAll } from '../../client/index.ts'
import type { Token } from './tools.ts'

/** The person's own tokens, and those of the service accounts that the person manages. */
export function useTokens(): readonly Token[] {
  return itemsOf(useQuery(readAll(tokenRoutes.listTokens, { query: { limit: 500 } })).data)
}
