import { type CallBase, callForge, type ForgeReply, undocumented, walkPages } from './api-client.ts'
import { failed, readAnswerTime } from './api-failures.ts'
import type { AppConnection, ForgeApps, FoundApp, FoundInstallation } from './app-port.ts'
import { isObject, type JsonObject } from './json-object.ts'
import type { ForgeAnswer, ForgeConnection } from './port.ts'
import { listRepositoryPages, type RepositoryPages } from './repository-pages.ts'

/** Who stands for an installation: an organisation, a group or a person, by the full name. */
export interface TokenOwner {
  readonly fullName: string
}

/** A kind of owner, and where the provider has it. The first kind that has the name counts. */
export interface OwnerKind {
  /** Where one is asked for; a person may come as a list of one. */
  path(name: string): string
  readOwner(body: unknown): ForgeAnswer<TokenOwner>
  /** Of one page of its repositories. */
  repositoriesPath(name: string, page: number): string
}

/** How a provider without installations answers for the account of a token. */
export interface TokenCalls {
  readonly title: string
  readonly lacks: readonly string[]
  callOf(connection: ForgeConnection): CallBase
  /** Which names may be asked for; all others are nobody's. */
  readonly name: RegExp
  readonly kinds: readonly OwnerKind[]
  describeAccount(account: JsonObject): Pick<FoundApp, 'appId' | 'name'> | undefined
  /** What the token may do, where the provider tells. */
  findPermissions(connection: ForgeConnection): Promise<FoundApp['permissions']>
  /** The list of the organisations or groups of the account. */
  readonly owners: { path(page: number): string; readOwner(item: JsonObject): TokenOwner | undefined }
  /** Whether the account may have repositories of its own. */
  ownsRepositories(account: JsonObject): boolean
  readonly pages: Pick<RepositoryPages, 'size' | 'readRepository'>
  hasNext(reply: ForgeReply): boolean | undefined
}

const MOST_PAGES = 100
const ACCOUNT = { path: '/user' } as const

/**
 * A connection by a token, for providers that have no apps: the account of the token stands for the app, an organisation,
 * group or person for an installation, and the token itself for every token.
 */
export function appsByToken(calls: TokenCalls): ForgeApps {
  const noKeys = `${calls.title} has no apps with keys; connect it by a stored token.`
  return {
    registration: null,
    features: [],
    events: [],
    lacks: calls.lacks,
    findKeyFault: () => noKeys,

    async find(connection) {
      const as = forgeConnection(connection)
      const answer = await callForge(as, { ...calls.callOf(as), ...ACCOUNT, quotes: true })
      if (answer.outcome !== 'found') return answer
      const { body, headers } = answer.value
      const account = isObject(body) ? calls.describeAccount(body) : undefined
      if (account === undefined) return undocumented()
      const answered = readAnswerTime(headers)
      const value = {
        ...account,
        slug: null,
        htmlUrl: pageOf(connection, account.appId),
        account: account.appId,
        permissions: await calls.findPermissions(as),
        events: [],
        skewMs: answered === undefined ? null : answered - connection.now,
      }
      return { outcome: 'found', value }
    },

    async findInstallation(connection, installationId) {
      const found = await findOwner(calls, forgeConnection(connection), installationId)
      if (found.outcome !== 'found') return found
      return { outcome: 'found', value: { ...describe(connection, found.value.owner), installationId } }
    },

    async listInstallations(connection) {
      const as = forgeConnection(connection)
      const account = await callForge(as, { ...calls.callOf(as), ...ACCOUNT })
      if (account.outcome !== 'found') return account
      const owners = await listOwners(calls, as)
      if (owners.outcome !== 'found') return owners
      const { body } = account.value
      const self = isObject(body) && calls.ownsRepositories(body) ? calls.describeAccount(body) : undefined
      const all = [...owners.value, ...(self === undefined ? [] : [{ fullName: self.appId }])]
      return { outcome: 'found', value: all.map((owner) => describe(connection, owner)) }
    },

    createToken({ app }) {
      return Promise.resolve(
        app.token === undefined || app.token === ''
          ? failed('The connection has no stored token.', false)
          : { outcome: 'found', value: { token: app.token, expiresAt: null } },
      )
    },

    async listRepositories(connection, { installationId, token, known }) {
      const as = { ...forgeConnection(connection), token }
      const found = await findOwner(calls, as, installationId)
      if (found.outcome !== 'found') return found
      const { kind, calls: asked } = found.value
      const listed = await listRepositoryPages(as, {
        ...calls.pages,
        call: calls.callOf(as),
        known,
        path: (page) => kind.repositoriesPath(installationId, page),
        readItems: (body) => (Array.isArray(body) ? body : undefined),
        hasNext: calls.hasNext,
      })
      if (listed.outcome !== 'found') return listed
      return { outcome: 'found', value: { ...listed.value, calls: listed.value.calls + asked } }
    },
  }
}

function forgeConnection({ baseUrl, app, signal }: AppConnection): ForgeConnection {
  return { baseUrl, token: app.token, signal }
}

interface FoundOwner {
  readonly owner: TokenOwner
  readonly kind: OwnerKind
  readonly calls: number
}

async function findOwner(
  calls: TokenCalls,
  connection: ForgeConnection,
  name: string,
): Promise<ForgeAnswer<FoundOwner>> {
  if (!calls.name.test(name)) return { outcome: 'not_found' }
  for (const [before, kind] of calls.kinds.entries()) {
    const answer = await callForge(connection, { ...calls.callOf(connection), path: kind.path(name), quotes: true })
    if (answer.outcome === 'failed') return answer
    const read = answer.outcome === 'found' ? kind.readOwner(answer.value.body) : answer
    if (read.outcome === 'failed') return read
    if (read.outcome === 'found') return { outcome: 'found', value: { owner: read.value, kind, calls: before + 1 } }
  }
  return { outcome: 'not_found' }
}

/** A group below another one that is listed comes with that. */
async function listOwners(calls: TokenCalls, connection: ForgeConnection): Promise<ForgeAnswer<readonly TokenOwner[]>> {
  const walked = await walkPages<TokenOwner>({
    first: calls.owners.path(1),
    ask: (path) => callForge(connection, { ...calls.callOf(connection), path }),
    read: ({ body }) =>
      Array.isArray(body) ? body.filter(isObject).flatMap((item) => calls.owners.readOwner(item) ?? []) : undefined,
    next: (reply, { number }) => (calls.hasNext(reply) === true ? calls.owners.path(number + 1) : undefined),
    most: { pages: MOST_PAGES, beyond: 'fails' },
  })
  if (walked.outcome !== 'found') return walked
  const names = new Set(walked.value.map(({ fullName }) => fullName))
  return {
    outcome: 'found',
    value: walked.value.filter(({ fullName }) => !parentsOf(fullName).some((parent) => names.has(parent))),
  }
}

/** `a/b/c` is below `a` and `a/b`. */
function parentsOf(fullName: string): readonly string[] {
  const segments = fullName.split('/')
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'))
}

function describe(connection: AppConnection, { fullName }: TokenOwner): FoundInstallation {
  return {
    installationId: fullName,
    account: fullName,
    selection: null,
    permissions: {},
    suspendedAt: null,
    htmlUrl: pageOf(connection, fullName),
  }
}

function pageOf({ baseUrl }: AppConnection, fullName: string): string {
  return `${baseUrl}/${fullName}`
}
