import { platformProblem } from '#platform/problems'
import type { Caller } from './caller.ts'
import { answersSecret, type Route } from './route.ts'

/**
 * Throws token_limited (403) where a token with limits may not use the route at all. What the token may do by permissions is
 * asked of the caller, which the limits make narrower. This is about the rest: what any owner may do without a permission.
 */
export function requireWithinLimits(route: Route, { token }: Pick<Caller, 'token'>): void {
  if (!token?.limits) return
  const use = usesOf(route)
  if (use === 'no') {
    throw refused('Your token has limits, and this is for its owner alone: use a token without limits, or the page.')
  }
  if (use === 'act' && token.limits.isReadOnly) throw refused('Your token only reads: use one that may write.')
  if (use === 'act' && answersSecret(route)) {
    throw refused('The answer holds a secret, which no token with limits gets: use a token without limits.')
  }
}

function usesOf(route: Route): 'ask' | 'act' | 'no' {
  if (route.class === 'authenticated') return route.limitedTokens ?? 'no'
  if (route.class === 'public') return 'ask'
  return route.limitedTokens ?? (route.method === 'GET' ? 'ask' : 'act')
}

function refused(detail: string): Error {
  return platformProblem('token_limited', detail)
}
