import { isLimitable, isPermission, type TokenListQuery } from '@signalbox/contracts/access'
import { createToken as makeToken } from '#platform/crypto'
import { foreignKeyViolation } from '#platform/database'
import { type Caller, type Page, pageOf, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { accessProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { createHoldings } from '../rules/holdings.ts'
import { type Limits, presentLimits } from '../rules/token-limits.ts'
import { listGrantsOf } from '../store/grants.ts'
import * as accounts from '../store/service-accounts.ts'
import * as store from '../store/tokens.ts'
import { findUser } from '../store/users.ts'
import { changeAccess } from './change-access.ts'
import { absentToken, findManagedToken } from './find-managed-token.ts'

export interface NewToken {
  readonly name: string
  readonly serviceAccountId: string | undefined
  readonly userId: string | undefined
  readonly limits: Limits | undefined
  readonly expiresAt: Date | null
}

/**
 * The token itself is in the answer and nowhere else. It may be limited to what its owner lacks, because grants change. A
 * token with limits makes none: see `requireWithinLimits` of platform/http.
 */
export async function createToken(
  means: Means,
  origin: RequestOrigin,
  input: NewToken,
): Promise<{ row: store.TokenRow; token: string }> {
  const left = means.tokenRate.take(origin.address)
  if (!left.ok) {
    throw platformProblem('rate_limited', 'Too many tokens were asked for from your address. Wait, then try again.', {
      headers: { 'retry-after': String(left.retryAfterSeconds) },
    })
  }
  const { owner, teamPath } = await chooseOwner(means, origin.caller, input)
  requireLimitable(input.limits)
  const now = means.clock.now()
  if (input.expiresAt && input.expiresAt <= now) {
    throw platformProblem('invalid_request', 'expires_at must lie in the future.', {
      errors: [{ field: 'expires_at', message: 'must lie in the future' }],
    })
  }
  const made = makeToken(owner.kind)
  const row: store.TokenRow = {
    id: means.ids.next(),
    name: input.name,
    lastFour: made.lastFour,
    owner,
    limits: input.limits,
    expiresAt: input.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: now,
  }
  try {
    await means.database.transaction(async (tx) => {
      await store.insertToken(tx, row, made.sha256)
      const resource = { kind: 'token', id: row.id }
      await means.audit.record(tx, { origin, action: 'token.created', resource, teamPath, after: shown(row) })
    })
  } catch (error) {
    if (foreignKeyViolation(error) === undefined) throw error
    throw platformProblem('not_found', 'The owner was deleted meanwhile.', { cause: error })
  }
  return { row, token: made.token }
}

export async function revokeToken(means: Means, origin: RequestOrigin, id: string): Promise<void> {
  const { row, teamPath } = await findManagedToken(means, origin.caller, id)
  await changeAccess(means, async (tx) => {
    if (!(await store.revokeToken(tx, id, means.clock.now()))) throw absentToken()
    const resource = { kind: 'token', id }
    await means.audit.record(tx, { origin, action: 'token.revoked', resource, teamPath, before: shown(row) })
  })
}

/**
 * One's own, those of service accounts whose tokens one may write, and all of them with user.write. A token with limits finds
 * itself alone.
 */
export function listTokens(means: Means, caller: Caller, query: TokenListQuery): Promise<Page<store.TokenRow>> {
  const filter = {
    everyone: caller.can('user.write', '/') && query.own !== true,
    userId: caller.kind === 'user' ? caller.id : undefined,
    tokenId: caller.token?.limits && caller.token.id,
    prefixes: query.own === true ? [] : caller.prefixes('token.write'),
  }
  return pageOf(query, (window) => store.listTokens(means.database.kysely, { ...window, ...filter }))
}

async function chooseOwner(
  means: Means,
  caller: Caller,
  input: NewToken,
): Promise<{ owner: store.TokenOwner; teamPath: string }> {
  const db = means.database.kysely
  if (input.serviceAccountId !== undefined && input.userId !== undefined) {
    throw ownerWrong('Name a service account or a user, not both.', 'user_id')
  }
  if (input.serviceAccountId !== undefined) {
    const account = await accounts.findServiceAccount(db, input.serviceAccountId)
    if (!account || !caller.can('service_account.read', account.teamPath)) {
      throw ownerWrong('There is no such service account.', 'service_account_id')
    }
    requirePermission(caller, 'token.write', account.teamPath)
    await requireCovered(means, caller, account.id)
    return { owner: { kind: 'service_account', id: account.id }, teamPath: account.teamPath }
  }
  const self = caller.kind === 'user' ? caller.id : undefined
  const userId = input.userId ?? self
  if (userId === undefined) {
    throw ownerWrong('You are not a user: name the service account or the user that the token is for.', 'user_id')
  }
  if (userId !== self) {
    requirePermission(caller, 'user.write', '/')
    if (!(await findUser(db, userId))) throw ownerWrong('There is no such user.', 'user_id')
  }
  // Asked although one's own token needs no permission, so that the route has asked.
  caller.can('token.write', '/')
  return { owner: { kind: 'user', id: userId }, teamPath: '/' }
}

/** No limit gives back what every token with limits lacks: whoever names it expects more than it would get. */
function requireLimitable(limits: Limits | undefined): void {
  const withheld = limits?.permissions?.find((name) => isPermission(name) && !isLimitable(name))
  if (withheld === undefined) return
  const message = `must not hold ${withheld}: no token with limits has it`
  throw platformProblem('invalid_request', `permissions ${message}.`, { errors: [{ field: 'permissions', message }] })
}

/** A token of a service account must not be a way to more than one has. */
async function requireCovered(means: Means, caller: Caller, accountId: string): Promise<void> {
  // From the table: a disabled account is in no snapshot, and has all this again once it is enabled.
  const roles = await listGrantsOf(means.database.kysely, { kind: 'service_account', id: accountId })
  for (const [path, permissions] of createHoldings(roles).byPath) {
    const missing = [...permissions].find((permission) => !caller.can(permission, path))
    if (missing === undefined) continue
    throw accessProblem('grant.exceeds_own', `The service account has ${missing} on ${path}, which you lack.`)
  }
}

function ownerWrong(detail: string, field: string): Error {
  return platformProblem('invalid_request', detail, { errors: [{ field, message: detail }] })
}

function shown(row: store.TokenRow): Readonly<Record<string, unknown>> {
  return {
    name: row.name,
    owner: `${row.owner.kind}:${row.owner.id}`,
    last_four: row.lastFour,
    ...(row.limits ? { limits: presentLimits(row.limits) } : {}),
    expires_at: row.expiresAt?.toISOString() ?? null,
  }
}
