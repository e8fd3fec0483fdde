import * as shapes from '@signalbox/contracts/access'
import { tokenRoutes as stated } from '@signalbox/contracts/access/routes'
import { answer, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import { createToken, listTokens, revokeToken } from '../actions/write-token.ts'
import type { Means } from '../means.ts'
import type { AccessSnapshot } from '../rules/snapshot.ts'
import { type Limits, presentLimits } from '../rules/token-limits.ts'
import type { TokenRow } from '../store/tokens.ts'

export function tokenRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createToken(request) {
      const { name, service_account_id: accountId, user_id: userId, expires_at: expiresAt } = request.body
      const { row, token } = await createToken(means, originOf(request), {
        name,
        serviceAccountId: accountId ?? undefined,
        userId: userId ?? undefined,
        limits: readLimits(request.body),
        expiresAt: expiresAt ? new Date(expiresAt) : null,
      })
      return answer(
        201,
        { ...present(row, await means.keeper.get()), token },
        { location: `/v1/tokens/${row.id}`, 'cache-control': 'no-store' },
      )
    },
    async listTokens(request) {
      const page = await listTokens(means, request.caller, request.query)
      const snapshot = await means.keeper.get()
      const items = page.items.map((row) => present(row, snapshot))
      return answer(200, items, linkNext(request.url, page))
    },
    async revokeToken(request) {
      await revokeToken(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}

function readLimits({ permissions, team_path, read_only, families }: shapes.CreateToken): Limits | undefined {
  if (!permissions && !team_path && !read_only && !families) return undefined
  return {
    ...(permissions ? { permissions } : {}),
    ...(team_path ? { teamPath: team_path } : {}),
    isReadOnly: read_only ?? false,
    ...(families ? { families } : {}),
  }
}

function present({ revokedAt: _, owner, limits, ...token }: TokenRow, snapshot: AccessSnapshot): shapes.Token {
  return {
    ...toWire(token),
    ...presentLimits(limits),
    user_id: owner.kind === 'user' ? owner.id : null,
    service_account_id: owner.kind === 'service_account' ? owner.id : null,
    owner: snapshot.calledBy(owner)[0] ?? null,
  }
}
