import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Role } from '@signalbox/contracts/access'
import { sql } from 'kysely'
import type { ForgeAnswer, Reaction } from '#adapters/forges'
import { openForges } from '#adapters/forges'
import type { TestDatabase, TestKitOptions } from '#platform/testing'
import { type Approvals, approvals } from '#rooms/execution/approvals'
import { aPullRequestPayload, aPushPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import {
  aConnectedSource,
  type Causes,
  deliver,
  type LowerDoors,
  openCauses,
  SECRET,
  TEAM,
} from '../sources/testing.ts'
import { commands } from './index.ts'

/** What a person was answered. */
export interface Told {
  readonly commentId: string
  readonly reaction: Reaction
  readonly text: string | undefined
}

export interface CommandHouse extends Causes {
  readonly approvals: Approvals
  readonly doors: LowerDoors
  readonly told: Told[]
  /** How the provider takes the next answers; undefined: it takes them. */
  readonly replies: { next: ForgeAnswer<null> | undefined }
  /** Does what reactions and commands have queued, until nothing is left that can be done now. */
  work(): Promise<void>
}

/** The room with the rooms below it, on a real database; its answers to people are kept. */
export async function openCommands(
  database: TestDatabase,
  options: Omit<TestKitOptions, 'env'> = {},
): Promise<CommandHouse> {
  const told: Told[] = []
  const replies: CommandHouse['replies'] = { next: undefined }
  const found: { approvals?: Approvals; doors?: LowerDoors } = {}
  const causes = await openCauses(
    database,
    { PROVIDER_HOSTS: '127.0.0.1' },
    {
      ...options,
      async upper(kit, doors) {
        const approvalParts = await approvals.open(kit, doors)
        const commandParts = await commands.open(kit, {
          ...doors,
          approvals: approvalParts.door,
          gitApps: { ...doors.gitApps, botLoginOf: async () => 'signalbox-app[bot]' },
          forges: openForges(kit),
          reports: {
            refreshComment: (...asked) => doors.reports.refreshComment(...asked),
            async answer(_place, commentId, reaction, text) {
              if (!replies.next) told.push({ commentId, reaction, text })
              return replies.next ?? { outcome: 'found', value: null }
            },
          },
        })
        Object.assign(found, { approvals: approvalParts.door, doors })
        return [approvalParts, commandParts]
      },
    },
  )
  await aSecret(causes.kit, causes.kit.database.kysely, { teamPath: TEAM, name: 'reader', value: 'a-read-token' })
  const { approvals: approvalDoor, doors } = found
  if (!approvalDoor || !doors) throw new Error('The rooms above were not opened')
  return Object.assign(causes, {
    approvals: approvalDoor,
    doors,
    told,
    replies,
    work: () => workAll(causes),
  })
}

const WORKED = ['facts.react', 'commands.carry-out', 'commands.answer-flood', 'events.resolve']

/** As the queue would; a job that fails is left out, and its error thrown. */
async function workAll(causes: Causes): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ name: string; payload: unknown }>`
      with taken as (delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
        where task.id = job.task_id and task.identifier = any(${WORKED}) returning job.id, task.identifier, job.payload)
      select identifier as name, payload from taken order by id`.execute(causes.kit.database.kysely)
    if (rows.length === 0) return
    for (const { name, payload } of rows) {
      await causes.jobs.find((one) => one.name === name)?.run(payload, new AbortController().signal)
    }
  }
}

export interface FakePerson {
  readonly id: number
  readonly login: string
  readonly type?: string
}

export const MONA: FakePerson = { id: 583_231, login: 'mona' }

/** A GitHub over real HTTP, as far as commands ask it; what it holds is changed at will. */
export interface FakeProvider {
  readonly url: string
  readonly comments: Map<string, { body: string; user: FakePerson | null; created_at?: string; updated_at?: string }>
  /** By the login of today. */
  readonly permissions: Map<string, { id: number; permission: string }>
  pull: { head: string; fork: boolean; state: 'open' | 'closed' }
  /** In the order in which they came. */
  readonly calls: string[]
  /** The status of every answer, in place of the right one. */
  failing: number | undefined
  /** Before the pull request is answered. */
  beforePull: (() => void | Promise<void>) | undefined
  close(): Promise<void>
}

export const HEAD = 'c'.repeat(40)

export async function openFakeProvider(): Promise<FakeProvider> {
  const fake: Omit<FakeProvider, 'url' | 'close'> = {
    comments: new Map(),
    permissions: new Map([[MONA.login, { id: MONA.id, permission: 'write' }]]),
    pull: { head: HEAD, fork: false, state: 'open' },
    calls: [],
    failing: undefined,
    beforePull: undefined,
  }
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const answerCall = async (): Promise<void> => {
      fake.calls.push(`${request.method} ${request.url}`)
      if (fake.failing !== undefined) return send(fake.failing, { message: 'no' })
      if (request.headers.authorization !== 'Bearer a-read-token') return send(401, { message: 'Bad credentials' })
      const [, repository = '', rest = ''] = /^\/api\/v3\/repos\/([^/]+\/[^/]+)\/(.*)$/.exec(request.url ?? '') ?? []
      const [what, ...names] = rest.split('/')
      if (what === 'collaborators') {
        const found = fake.permissions.get(decodeURIComponent(names[0] ?? ''))
        if (!found) return send(404, { message: 'Not Found' })
        const { id, permission } = found
        return send(200, { permission, role_name: permission, user: { id, login: names[0] } })
      }
      if (what === 'pulls') {
        await fake.beforePull?.()
        const { head, fork, state } = fake.pull
        const own = { id: 1, full_name: repository }
        const pull = {
          number: Number(names[0]),
          state,
          head: { ref: 'topic', sha: head, repo: fork ? { id: 2, full_name: 'eve/widgets' } : own },
          base: { ref: 'main', sha: 'a'.repeat(40), repo: own },
        }
        return send(200, pull)
      }
      if (what === 'issues' && names[0] === 'comments') {
        const comment = fake.comments.get(names[1] ?? '')
        if (!comment) return send(404, { message: 'Not Found' })
        const issue_url = `${request.headers.host}/repos/${repository}/issues/7`
        return send(200, { id: Number(names[1]), issue_url, ...comment })
      }
      return send(500, { message: `nobody expected ${request.method} ${request.url}` })
    }
    answerCall().catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return Object.assign(fake, {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

export interface Repository {
  readonly sourceId: string
  readonly fullName: string
  readonly url: string
  /** Tells of a pull request; its head is that of the provider unless given. */
  open(given?: { readonly head?: string; readonly fork?: boolean }): Promise<void>
  /** Posts a comment at the provider and delivers it; answers its id. */
  comment(body: string, options?: CommentOptions): Promise<string>
  /** Its commands, newest first. */
  listed(): Promise<readonly Record<string, unknown>[]>
  runs(): Promise<readonly ListedRun[]>
}

export interface ListedRun {
  readonly id: string
  readonly pipeline_identifier: string
  readonly cause: string
  readonly status: string
  readonly withheld: string | null
  readonly untrusted: boolean
  readonly commit_sha: string | null
  readonly initiator_id: string
  readonly initiator_name: string
  readonly variables: Record<string, string>
  readonly scope: string
  readonly note: string | null
}

export interface CommentOptions {
  readonly by?: FakePerson
  readonly action?: string
  readonly association?: string
  readonly at?: string
  /** What the provider shows by the time it is asked; null: nothing. */
  readonly shown?: { readonly body?: string; readonly user?: FakePerson; readonly editedAt?: string } | null
  /** Delivers it without posting it anew. */
  readonly again?: string
  readonly deliveryId?: string
}

let made = 0

/** A repository of a source that takes commands; a trigger starts acme/web/build for its pull requests. */
export async function aRepository(
  house: CommandHouse,
  provider: FakeProvider,
  source: Readonly<Record<string, unknown>> = {},
): Promise<Repository> {
  made += 1
  const name = `commanded-${made}`
  const fullName = `acme/${name}`
  const { id, url } = await aConnectedSource(
    house,
    {
      name,
      base_url: provider.url,
      checkout_credential_ref: `secret:${TEAM}/reader`,
      comment_commands: true,
      repository_allowlist: [fullName],
      ...source,
    },
    { name, repositories: [fullName], events: ['pull_request'], branches: [] },
  )
  const repository = { id: 9_000 + made, full_name: fullName, clone_url: `${provider.url}/${fullName}.git` }
  const send = (event: string, payload: object, deliveryId: string = randomUUID()) =>
    deliver(house, url, signDelivery(payload, { secret: SECRET, event, deliveryId }))
  let comments = 0
  return {
    sourceId: id,
    fullName,
    url,
    async open({ head = provider.pull.head, fork = provider.pull.fork } = {}) {
      const updatedAt = new Date().toISOString()
      const answer = await send('pull_request', aPullRequestPayload({ repository, head, fork, updatedAt, number: 7 }))
      if (answer.status >= 300) throw new Error(answer.text)
    },
    async comment(body, options = {}) {
      comments += 1
      const commentId = options.again ?? String(made * 1000 + comments)
      const by = options.by ?? MONA
      const { shown } = options
      const at = options.at ?? new Date().toISOString()
      if (options.again === undefined && shown !== null) {
        const [created_at, updated_at] = [at, shown?.editedAt ?? at]
        provider.comments.set(commentId, { body: shown?.body ?? body, user: shown?.user ?? by, created_at, updated_at })
      }
      const person = { type: 'User', ...by }
      const payload = {
        action: options.action ?? 'created',
        issue: { number: 7, title: 'x', labels: [], user: person, pull_request: { merged_at: null } },
        comment: {
          id: Number(commentId),
          body,
          user: person,
          author_association: options.association ?? 'MEMBER',
          created_at: at,
          updated_at: at,
        },
        repository: aPushPayload({ repository })['repository'],
        sender: person,
      }
      const answer = await send('issue_comment', payload, options.deliveryId)
      if (answer.status >= 300) throw new Error(answer.text)
      return commentId
    },
    async listed() {
      const { body } = await house.call('GET', `/v1/comment-commands?source_id=${id}`)
      return Object.values(body).flatMap((each) => (typeof each === 'object' && each !== null ? [{ ...each }] : []))
    },
    async runs() {
      const { rows } = await sql<ListedRun>`
        select id, pipeline_identifier, cause, status, withheld, untrusted, commit_sha, initiator_id, initiator_name, variables,
          scope, note from runs where repository = ${fullName} order by id`.execute(house.kit.database.kysely)
      return rows
    },
  }
}

export interface Given {
  readonly id: string
  readonly command: Record<string, unknown> | undefined
  readonly told: Told | undefined
  readonly state: unknown
  readonly outcome: unknown
  readonly reason: string
}

/** Posts a command and has it carried out; answers what became of it. */
export async function giveCommand(
  house: CommandHouse,
  repository: Repository,
  body: string,
  options: CommentOptions = {},
): Promise<Given> {
  const id = await repository.comment(body, options)
  await house.work()
  const command = (await repository.listed()).find((each) => each['comment_id'] === id)
  const told = house.told.findLast((each) => each.commentId === id)
  const { state, outcome, reason } = command ?? {}
  return { id, command, told, state, outcome, reason: String(reason) }
}

export async function listAudited(house: CommandHouse, resourceId: string | undefined) {
  const rows = await house.kit.database.kysely
    .selectFrom('audit_records')
    .selectAll()
    .where('resource_id', '=', resourceId ?? '')
    .orderBy('id')
    .execute()
  return rows.map(({ action, actor_id, actor_name, after: state }) => ({ action, actor_id, actor_name, state }))
}

export interface LinkedUser {
  readonly login: string
  readonly role: Role
  readonly teamPath: string
  readonly accountId: number
}

/** A user whose account at the provider is that number, as an administrator linked it. */
export async function linkUser(
  house: CommandHouse,
  provider: FakeProvider,
  { login, role, teamPath, accountId }: LinkedUser,
): Promise<{ readonly id: string }> {
  const member = await aMember(house.kit.database.kysely, login, role, teamPath)
  const linked = await house.call('POST', `/v1/users/${member.id}/identities`, {
    provider: `git:github:${provider.url}`,
    subject: String(accountId),
  })
  if (linked.status !== 201) throw new Error(linked.text)
  return member
}
