import type { Permission } from '@signalbox/contracts/access'
import { createPasswords } from '#platform/crypto'
import type { Statement, Tx } from '#platform/database'
import { type Authenticator, type Caller, createAddressLimiter, type RequestOrigin } from '#platform/http'
import type { Problems } from '#platform/problems'
import { defineRoom } from '#platform/room'
import { type ActingSubject, type Actor, actAs, holdRights } from './actions/act-as.ts'
import { changeAccessInTurn } from './actions/change-access.ts'
import {
  type CreatedAdministrator,
  createAdministrator,
  type NewAdministrator,
} from './actions/create-administrator.ts'
import { findTokenCaller } from './actions/find-token-caller.ts'
import { type AccountProfile, makeAccountUser } from './actions/make-account-user.ts'
import { getVisibleUser, type HeldUser, holdEnabledUser } from './actions/read-users.ts'
import { subjectSearches } from './actions/search-subjects.ts'
import { setMemberships, type WantedMemberships } from './actions/set-memberships.ts'
import { createBootstrapToken } from './authentication/bootstrap-token.ts'
import { createPasswordVerifier, type VerifiedPassword } from './authentication/password-verifier.ts'
import { keepSnapshot } from './authentication/snapshot-keeper.ts'
import { createTokenAuthenticator } from './authentication/token-authenticator.ts'
import { ADMINISTRATOR_PROBLEMS, accessProblem } from './errors.ts'
import type { Asked, Means } from './means.ts'
import { registerAccessMetrics } from './metrics.ts'
import { accessRoutes } from './routes/access-routes.ts'
import type { AccessSnapshot, ScopeVerdict, SubjectKind } from './rules/snapshot.ts'
import { refusingLimit } from './rules/token-limits.ts'
import { lockingRevision } from './store/snapshot.ts'
import { accessTools } from './tools.ts'

export type { ActingSubject, Actor } from './actions/act-as.ts'
export type { CreatedAdministrator, NewAdministrator } from './actions/create-administrator.ts'
export type { VerifiedPassword } from './authentication/password-verifier.ts'
export type { AboveAccess } from './means.ts'
export type { AccessSnapshot, ScopeVerdict, SubjectKind } from './rules/snapshot.ts'

export interface Access {
  readonly authenticator: Authenticator
  /**
   * The rights of all subjects, at most 5 s old, at most 30 s where the database cannot be reached.
   * Throws authorization_unavailable (503) when not even that can be had: do not proceed.
   */
  snapshot(): Promise<AccessSnapshot>
  /** The caller behind a token that the asker may revoke. Throws not_found (404), and the 503. */
  findTokenCaller(asker: Caller, tokenId: string): Promise<Caller>
  /** The subject that a run or a trigger acts for; undefined when it is gone, disabled or revoked. Throws the 503. */
  subject(kind: SubjectKind, id: string): Promise<Caller | undefined>
  /**
   * Whether the caller may use `<team path>/<environment>`, and what the caller is told where not. `unknown` stands for what
   * is hidden and for what is absent, and takes as long for both. Throws the 503.
   */
  judgeScope(caller: Caller, scope: string): Promise<ScopeVerdict>
  /**
   * Whether the limits of the caller's token leave a permission at a team; true without limits. For what somebody may do
   * by being named, without a permission.
   */
  isWithinLimits(caller: Caller, permission: Permission, teamPath: string): boolean
  /** As judgeScope, as yes or no. */
  canUseScope(caller: Caller, scope: string): Promise<boolean>
  /** Makes the bootstrap token's file where it is needed; its path, undefined when configured or revoked. A revoked one goes. */
  prepareBootstrap(): Promise<string | undefined>
  /** The first administrator. Throws access.administrator_exists (409) where there is one. */
  createAdministrator(origin: RequestOrigin, input: NewAdministrator): Promise<CreatedAdministrator>
  /** The problems of `createAdministrator`, for the document of the API. */
  readonly administratorProblems: Problems
  /** The user behind login and password, undefined for any other pair. Throws rate_limited (429). */
  verifyPassword(login: string, password: string, address: string): Promise<VerifiedPassword | undefined>
  /**
   * The subject of an earlier request, with the rights of this moment and within the limits of its token; undefined where
   * subject or token may no longer act. Throws the 503.
   */
  actAs(subject: ActingSubject): Promise<Actor | undefined>
  /**
   * Whether all rights are still those of the revision by which an actor was judged. Nobody changes any until the
   * transaction ends.
   */
  holdRights(tx: Tx, revision: number): Promise<boolean>
  /** The same for `Database.pipeline`: `follow` gets the revision, and throws where it is another. */
  holdingRights(follow: (revision: number | undefined) => void): Statement
  /** As `subject`, for one that may have been made a moment ago, after the snapshot. Throws the 503. */
  newSubject(kind: SubjectKind, id: string): Promise<Caller | undefined>
  /** Nobody changes, disables or deletes the user until the transaction ends; undefined for one who is gone or disabled. */
  holdUser(tx: Tx, id: string): Promise<HeldUser | undefined>
  /**
   * A transaction that may change users, groups or sessions, seen by the next request of this process. Such transactions
   * take turns.
   */
  changeAccess<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A new user without a password, for an account elsewhere; in a transaction of changeAccess. */
  makeAccountUser(tx: Tx, origin: RequestOrigin, profile: AccountProfile): Promise<{ readonly id: string }>
  /**
   * Makes the memberships of the named groups what they ought to be; answers the names that no group has. Throws
   * access.last_administrator (409) and changes nothing where that would leave no administrator.
   */
  setMemberships(origin: RequestOrigin, wanted: WantedMemberships): Promise<readonly string[]>
  /** The user; throws not_found (404) for one who is not there and for one whom the caller may not see. */
  findUser(caller: Caller, id: string): Promise<{ readonly id: string; readonly login: string }>
}

export const access = defineRoom<Access, Asked>({
  name: 'foundation/access',
  open(kit, needs) {
    registerAccessMetrics(kit)
    const keeper = keepSnapshot(kit, needs.teams)
    const bootstrap = createBootstrapToken(kit)
    const authenticator = createTokenAuthenticator(kit, keeper, bootstrap)
    const passwords = createPasswords()
    const tokenRate = createAddressLimiter({ perMinute: 30, burst: 30, maxKeys: 10_000, clock: kit.clock })
    const means: Means = { ...kit, ...needs, keeper, bootstrap, passwords, tokenRate }
    const judgeScope = async (caller: Caller, scope: string): Promise<ScopeVerdict> => {
      let verdict = (await keeper.get()).judgeScope(caller, scope)
      // Made a moment ago, perhaps.
      if (verdict === 'unknown') verdict = (await keeper.getNew()).judgeScope(caller, scope)
      // Asked so that a request notes it: a kept answer is repeated only to who may still use the environment.
      if (verdict === 'usable') caller.mayUse(scope)
      return verdict
    }
    const verifier = createPasswordVerifier(kit, passwords)
    return {
      door: {
        authenticator,
        snapshot: () => keeper.get(),
        findTokenCaller: (asker, id) => findTokenCaller(means, asker, id),
        subject: async (kind, id) => (await keeper.get()).subject(kind, id),
        judgeScope,
        isWithinLimits: ({ token }, permission, teamPath) =>
          !token?.limits || refusingLimit(token.limits, permission, teamPath) === undefined,
        canUseScope: async (caller, scope) => (await judgeScope(caller, scope)) === 'usable',
        async prepareBootstrap() {
          const { bootstrapRevoked, administratorExists } = await keeper.get()
          if (bootstrapRevoked) {
            // A process that ended between the revocation and the removal left it; `signalbox up` made it anew.
            bootstrap.remove()
            return undefined
          }
          if (administratorExists) {
            kit.log.warn(
              { configured: bootstrap.configured },
              'the bootstrap token still is an administrator beside the real one: `signalbox setup revoke-bootstrap` ends that',
            )
          }
          return bootstrap.prepare()
        },
        createAdministrator: (origin, input) => createAdministrator(means, origin, input),
        administratorProblems: { table: ADMINISTRATOR_PROBLEMS },
        verifyPassword: (login, password, address) => verifier.verify(login, password, address),
        actAs: (subject) => actAs(means, subject),
        holdRights,
        holdingRights: lockingRevision,
        newSubject: (kind, id) => keeper.findSubject({ kind, id }),
        holdUser: holdEnabledUser,
        changeAccess: (work) => changeAccessInTurn(means, work),
        makeAccountUser: (...asked) => makeAccountUser(means, ...asked),
        setMemberships: (origin, wanted) => setMemberships(means, origin, wanted),
        findUser: (caller, id) => getVisibleUser(means, caller, id),
      },
      routes: accessRoutes(means),
      tools: accessTools,
      searches: subjectSearches(means),
      problems: [accessProblem],
      // Repeated each second: so old is the snapshot at most where a notification was lost.
      loops: [
        { name: 'access.watch', role: 'api', run: async () => void (await keeper.getNew().catch(() => undefined)) },
      ],
      close: async () => {
        keeper.close()
        await authenticator.settle()
      },
    }
  },
})
