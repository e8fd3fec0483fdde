import { undocumented } from '../api-client.ts'
import type { ForgeApps } from '../app-port.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { name } from '../payload-fields.ts'
import type { ForgeAnswer } from '../port.ts'
import { describeRepository, hasNextLink } from '../repository-pages.ts'
import { appsByToken, type OwnerKind, type TokenOwner } from '../token-connection.ts'
import { callOf } from './api.ts'

/** A server cuts it to its own MAX_RESPONSE_ITEMS, 50 by default. */
const PAGE = 50
const NAME = /^(?!\.{1,2}$)[\w.-]{1,100}$/

const ORGANISATION = ownerKind('/orgs')
const PERSON = ownerKind('/users')

/** Gitea and Forgejo. The token needs the scopes read:user, read:organization and write:repository. */
export function appsOf(title: string): ForgeApps {
  return appsByToken({
    title,
    lacks: [
      `A token of ${title} cannot be narrowed: every source that may use it uses the whole of it.`,
      `${title} tells neither what a token may do nor when it ends: a missing scope shows at its first use.`,
      `${title} has no webhook of a connection: each repository or organisation needs one of its own.`,
      `${title} shows runs as commit statuses, without annotations and a rerun button.`,
      `${title} keeps no log of deliveries that can be asked for: lost ones are found by comparing branches.`,
    ],
    callOf,
    name: NAME,
    kinds: [ORGANISATION, PERSON],
    describeAccount(account) {
      const login = loginOf(account)
      return login === undefined ? undefined : { appId: login.fullName, name: name(account, 'full_name') }
    },
    findPermissions: () => Promise.resolve({}),
    owners: { path: (page) => `/user/orgs?limit=${PAGE}&page=${page}`, readOwner: loginOf },
    ownsRepositories: () => true,
    pages: { size: PAGE, readRepository: describeRepository },
    hasNext: hasNextLink,
  })
}

function ownerKind(path: '/orgs' | '/users'): OwnerKind {
  return {
    path: (owner) => `${path}/${encodeURIComponent(owner)}`,
    readOwner: (body) => readLogin(body),
    repositoriesPath: (owner, page) => `${path}/${encodeURIComponent(owner)}/repos?limit=${PAGE}&page=${page}`,
  }
}

function readLogin(body: unknown): ForgeAnswer<TokenOwner> {
  const owner = isObject(body) ? loginOf(body) : undefined
  return owner === undefined ? undocumented() : { outcome: 'found', value: owner }
}

/** An organisation is called by `name`, since 1.18 beside `username`; a person by `login`. */
function loginOf(owner: JsonObject): TokenOwner | undefined {
  const login = name(owner, 'login') ?? name(owner, 'username') ?? name(owner, 'name')
  return login !== null && NAME.test(login) ? { fullName: login } : undefined
}
