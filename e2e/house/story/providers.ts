import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as azureDevops from '../../../server/src/adapters/forges/azure-devops/testing.ts'
import * as bitbucket from '../../../server/src/adapters/forges/bitbucket/testing.ts'
import * as bitbucketDatacenter from '../../../server/src/adapters/forges/bitbucket-datacenter/testing.ts'
import * as forgejo from '../../../server/src/adapters/forges/forgejo/testing.ts'
import * as generic from '../../../server/src/adapters/forges/generic/testing.ts'
import * as gitea from '../../../server/src/adapters/forges/gitea/testing.ts'
import * as github from '../../../server/src/adapters/forges/github/testing.ts'
import * as gitlab from '../../../server/src/adapters/forges/gitlab/testing.ts'
import * as gogs from '../../../server/src/adapters/forges/gogs/testing.ts'

/** The content of a delivery; a provider leaves out the fields that it does not tell. */
export interface Told {
  /** The commit that a push ends at, or the head of a pull request. */
  readonly commit?: string
  readonly before?: string
  readonly branch?: string
  readonly commits?: readonly string[]
  readonly forced?: boolean
  /** When it happened, RFC 3339. */
  readonly at?: string
  readonly number?: number
  readonly action?: string
  readonly base?: string
  readonly fork?: boolean
  readonly text?: string
  readonly author?: string
  readonly association?: string
}

/** The repository as the provider knows it. */
export interface Named {
  readonly fullName: string
  readonly cloneUrl: string
}

export interface Signing {
  readonly secret: string
  readonly authMode: string | undefined
  readonly deliveryId: string
  /** The provider's word, where it is sent as a header. */
  readonly event: string | undefined
}

export interface Signed {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** How a provider names repositories, tells of a push and proves who it is. */
export interface Provider {
  fullName(slug: string): string
  /** Path of the repository at the provider's address. */
  clonePath(fullName: string): string
  makeSecret(): string
  push(named: Named, told: Told): object
  sign(payload: object, signing: Signing): Signed
}

const COMMIT = 'c'.repeat(40)
function text(): string {
  return randomBytes(16).toString('hex')
}

const usual = {
  fullName: (slug: string) => `acme/${slug}`,
  clonePath: (fullName: string) => `/${fullName}.git`,
  makeSecret: text,
}

function refOf({ branch = 'main' }: Told): string {
  return `refs/heads/${branch}`
}
function moved(told: Told) {
  return {
    ref: refOf(told),
    after: told.commit ?? COMMIT,
    ...(told.before === undefined ? {} : { before: told.before }),
  }
}
function repository({ fullName, cloneUrl }: Named) {
  return { full_name: fullName, clone_url: cloneUrl }
}
function eventOf({ event }: Signing) {
  return event === undefined ? {} : { event }
}

/** Gitea and its relatives. */
function giteaLike(sign: typeof gitea.signDelivery, aPushPayload: typeof gitea.aPushPayload): Provider {
  return {
    ...usual,
    push: (named, told) => aPushPayload({ repository: repository(named), ...moved(told) }),
    sign: (payload, signing) =>
      sign(payload, { secret: signing.secret, deliveryId: signing.deliveryId, ...eventOf(signing) }),
  }
}

const PROVIDERS: Readonly<Record<string, Provider>> = {
  github: {
    ...usual,
    push: (named, told) =>
      github.aPushPayload({
        repository: {
          ...repository(named),
          ...(told.at === undefined ? {} : { pushed_at: Date.parse(told.at) / 1000 }),
        },
        ...moved(told),
        ...(told.forced === undefined ? {} : { forced: told.forced }),
        ...(told.commits === undefined ? {} : { commits: told.commits.map((id) => github.aCommit({ id })) }),
      }),
    sign: (payload, signing) =>
      github.signDelivery(payload, { secret: signing.secret, deliveryId: signing.deliveryId, ...eventOf(signing) }),
  },
  gitlab: {
    ...usual,
    makeSecret: () => `whsec_${randomBytes(24).toString('base64')}`,
    push: ({ fullName, cloneUrl }, told) =>
      gitlab.aPushPayload({ project: { path_with_namespace: fullName, git_http_url: cloneUrl }, ...moved(told) }),
    sign(payload, signing) {
      const { secret, authMode, deliveryId } = signing
      const given = { secret, deliveryId, ...eventOf(signing) }
      return authMode === 'token'
        ? gitlab.tokenDelivery(payload, given)
        : gitlab.signDelivery(payload, { ...given, at: new Date() })
    },
  },
  gitea: giteaLike(gitea.signDelivery, gitea.aPushPayload),
  forgejo: giteaLike(forgejo.signDelivery, gitea.aPushPayload),
  gogs: giteaLike(gogs.signDelivery, gogs.aPushPayload),
  bitbucket: {
    ...usual,
    push({ fullName, cloneUrl }, { branch = 'main', before = null, commit = COMMIT }) {
      const payload = bitbucket.aPushPayload({
        fullName,
        changes: [bitbucket.aChange({ name: branch, before, after: commit })],
      })
      // The payloads hold no address for Git: the page's address serves.
      const html = { href: cloneUrl.replace(/\.git$/, '') }
      return { ...payload, repository: { type: 'repository', full_name: fullName, links: { html } } }
    },
    sign: (payload, signing) =>
      bitbucket.signDelivery(payload, { secret: signing.secret, deliveryId: signing.deliveryId, ...eventOf(signing) }),
  },
  bitbucket_datacenter: {
    ...usual,
    clonePath: (fullName) => `/scm/${fullName}.git`,
    // In both modes: a secret that is a user and a password signs as well as any.
    makeSecret: () => `hook:${text()}`,
    push({ fullName, cloneUrl }, told) {
      const [key = '', slug = ''] = fullName.split('/')
      const { ref, after, before } = { before: '0'.repeat(40), ...moved(told) }
      const payload = bitbucketDatacenter.aPushPayload({
        key,
        slug,
        changes: [bitbucketDatacenter.aChange({ ref, from: before, to: after })],
      })
      const described = { slug, project: { key }, links: { clone: [{ href: cloneUrl, name: 'http' }] } }
      return { ...payload, repository: described }
    },
    sign(payload, signing) {
      const { secret, authMode, deliveryId } = signing
      const given = { deliveryId, ...eventOf(signing) }
      return authMode === 'basic'
        ? bitbucketDatacenter.authenticateDelivery(payload, { ...given, credentials: secret })
        : bitbucketDatacenter.signDelivery(payload, { ...given, secret })
    },
  },
  azure_devops: {
    fullName: (slug) => `acme/My Project/${slug}`,
    clonePath: (fullName) => `/${fullName.replace(/\/([^/]+)$/, '/_git/$1').replaceAll(' ', '%20')}`,
    makeSecret: () => `hook:${text()}`,
    push({ fullName, cloneUrl }, told) {
      const [, project = '', name = ''] = fullName.split('/')
      const { ref, after, before } = { before: '0'.repeat(40), ...moved(told) }
      return azureDevops.aPushPayload({
        repository: { ...azureDevops.aRepository({ project, name }), remoteUrl: cloneUrl },
        refUpdates: [azureDevops.aRefUpdate({ ref, before, after })],
        commits: [azureDevops.aCommit(after)],
      })
    },
    // All that it tells is in the body.
    sign: (payload, { secret, deliveryId }) =>
      azureDevops.authenticateDelivery({ ...payload, id: deliveryId }, { credentials: secret }),
  },
  generic: {
    ...usual,
    push: (named, told) =>
      generic.aPushPayload({ repository: repository(named), branch: told.branch ?? 'main', ...moved(told) }),
    sign: (payload, { secret, deliveryId }) => generic.signDelivery(payload, { secret, deliveryId, at: new Date() }),
  },
}

export function findProvider(id: string): Provider {
  const found = PROVIDERS[id]
  if (!found) throw new Error(`There is no provider ${id}`)
  return found
}

const PROOF = /-(signature|token|signature-256)$|^(authorization|x-hub-signature)$/

/** The delivery without the proof of its sender. */
export function withoutProof({ headers, body }: Signed): Signed {
  return { body, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !PROOF.test(name))) }
}

const EVENT_HEADERS = ['x-gitlab-event', 'x-event-key', 'x-forgejo-event', 'x-gitea-event', 'x-gogs-event']
const FORGES = join(import.meta.dirname, '../../../server/src/adapters/forges')

/** A delivery that is kept with the provider's forge, as if it were about this repository, and the provider's word for it. */
export function readFixture(
  provider: string,
  fixture: string,
  { fullName }: Named,
): { readonly payload: object; readonly event: string | undefined } {
  const file = join(FORGES, provider.replaceAll('_', '-'), 'fixtures', `${fixture}.json`)
  const name = fullName.slice(fullName.lastIndexOf('/') + 1)
  const { headers, payload }: { headers: Record<string, string>; payload: object } = JSON.parse(
    readFileSync(file, 'utf8').replaceAll('widgets', name),
  )
  const event = [...EVENT_HEADERS, 'x-github-event'].map((header) => headers[header]).find(Boolean)
  return { payload, event }
}
