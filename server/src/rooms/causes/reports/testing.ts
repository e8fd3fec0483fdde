import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { createTestClock, type TestDatabase } from '#platform/testing'
import { aPullRequestPayload, signDelivery } from '../../../adapters/forges/github/testing.ts'
import {
  aConnectedSource,
  type CallerMaker,
  type Causes,
  callWithSecrets,
  deliver,
  openCauses,
  SECRET,
} from '../sources/testing.ts'

/** How the forge calls the app. */
export const OWN_LOGIN = 'signalbox-test[bot]'
/** The tokens that an app is given in these tests. */
export const APP_TOKEN = 'ghs_app'

export interface ShownCheck {
  readonly id: number
  readonly name: string
  readonly head_sha: string
  readonly external_id: string
  readonly details_url: string
  readonly status: string
  readonly conclusion?: string
  readonly output: { readonly title: string; readonly summary: string; readonly annotations?: readonly unknown[] }
  readonly annotations: readonly unknown[]
}

export interface ShownComment {
  readonly id: number
  readonly number: number
  readonly body: string
}

/** What happens to a call that changes something: it is done, and its answer is cut; or it is refused with a status. */
type Fault = 'cut' | number

/** GitHub as far as it is told of runs, over real HTTP: what its page would show. */
export interface ShownForge {
  readonly url: string
  readonly checks: readonly ShownCheck[]
  readonly comments: readonly ShownComment[]
  /** By comment. */
  readonly reactions: ReadonlyMap<number, readonly string[]>
  /** `METHOD path` of every call, without its query. */
  readonly calls: readonly string[]
  /** Of the next calls that change something. */
  readonly faults: Fault[]
  /** What people may do in the repository. */
  readonly permissions: Map<string, string>
  deleteComments(): void
}

const REPOSITORY = '/api/v3/repos/acme/widgets'

interface Call {
  readonly method: string
  readonly path: string
  readonly body: Record<string, unknown>
}

export async function openShownForge(t: { after(end: () => Promise<void>): void }): Promise<ShownForge> {
  const checks: ShownCheck[] = []
  const comments: ShownComment[] = []
  const reactions = new Map<number, string[]>()
  const calls: string[] = []
  const faults: Fault[] = []
  const permissions = new Map<string, string>()
  let made = 100

  function answer({ method, path, body }: Call): { readonly status: number; readonly body: unknown } {
    const [, kind = '', id = '', rest = ''] =
      /^\/(check-runs|issues\/comments|issues|collaborators|commits)(?:\/([^/]+))?(.*)$/.exec(path) ?? []
    if (kind === 'check-runs' && method === 'POST') {
      const check = { ...toCheck(body), id: (made += 1), annotations: [] }
      checks.push(check)
      return { status: 201, body: check }
    }
    const at = checks.findIndex((check) => String(check.id) === id)
    const check = checks[at]
    if (kind === 'check-runs' && check && method === 'PATCH') {
      const added = toCheck({ ...check, ...body }).output.annotations ?? []
      checks[at] = { ...check, ...body, annotations: [...check.annotations, ...added] }
      return { status: 200, body: checks[at] }
    }
    if (kind === 'check-runs' && check) {
      return { status: 200, body: { ...check, output: { annotations_count: check.annotations.length } } }
    }
    if (kind === 'commits') {
      return { status: 200, body: { check_runs: checks.filter((one) => one.head_sha === id) } }
    }
    if (kind === 'issues' && rest === '/comments') {
      if (method === 'GET') return { status: 200, body: comments.filter(({ number }) => number === Number(id)) }
      const comment = { id: (made += 1), number: Number(id), body: String(body['body']) }
      comments.push(comment)
      return { status: 201, body: comment }
    }
    const place = comments.findIndex((comment) => String(comment.id) === id)
    const comment = comments[place]
    if (kind === 'issues/comments' && rest === '/reactions') {
      reactions.set(Number(id), [...(reactions.get(Number(id)) ?? []), String(body['content'])])
      return { status: 201, body: {} }
    }
    if (kind === 'issues/comments' && comment && method === 'PATCH') {
      comments[place] = { ...comment, body: String(body['body']) }
      return { status: 200, body: comments[place] }
    }
    if (kind === 'collaborators') {
      return { status: 200, body: { permission: permissions.get(id) ?? 'read', user: { id: 583_231 } } }
    }
    return { status: 404, body: {} }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const text = Buffer.concat(chunks).toString('utf8')
    const { pathname } = new URL(request.url ?? '/', 'http://forge.example')
    const method = request.method ?? ''
    assert.equal(request.headers.authorization, `Bearer ${APP_TOKEN}`)
    calls.push(`${method} ${pathname.slice(REPOSITORY.length)}`)
    const fault = method === 'GET' ? undefined : faults.shift()
    if (typeof fault === 'number') return void response.writeHead(fault).end()
    const call = { method, path: pathname.slice(REPOSITORY.length), body: text === '' ? {} : JSON.parse(text) }
    const { status, body } = answer(call)
    if (fault === 'cut') return void response.destroy()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      calls.push(`fault: ${String(error)}`)
      response.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    checks,
    comments,
    reactions,
    calls,
    faults,
    permissions,
    deleteComments: () => void comments.splice(0),
  }
}

function toCheck(body: Record<string, unknown>): Omit<ShownCheck, 'id' | 'annotations'> {
  const output: unknown = body['output']
  const of = (key: string): unknown =>
    typeof output === 'object' && output !== null
      ? Object.entries(output).find(([name]) => name === key)?.[1]
      : undefined
  const annotations = of('annotations')
  return {
    name: String(body['name']),
    head_sha: String(body['head_sha']),
    external_id: String(body['external_id']),
    details_url: String(body['details_url']),
    status: String(body['status']),
    ...(body['conclusion'] === undefined ? {} : { conclusion: String(body['conclusion']) }),
    output: {
      title: String(of('title')),
      summary: String(of('summary')),
      ...(Array.isArray(annotations) ? { annotations } : {}),
    },
  }
}

/** An app beside stored secrets: it has every right that these tests need. */
export const callAsApp: CallerMaker = (secrets, kit) => {
  const plain = callWithSecrets(secrets, kit)
  return {
    botLoginOf: async () => OWN_LOGIN,
    call: (wish, signal, work) => (wish.ref?.startsWith('app:') ? work(APP_TOKEN) : plain.call(wish, signal, work)),
  }
}

export class Killed extends Error {}

export interface ReportsHouse {
  readonly causes: Causes
  readonly clock: ReturnType<typeof createTestClock>
  /** The fail point at which a job dies. */
  killAt(point: string | undefined): void
  /** A source of the forge that is called as an app; answers its id. */
  connect(forge: ShownForge, name: string, trigger?: Readonly<Record<string, unknown>>): Promise<string>
  /** From then on deliveries of the sources are judged as those of an app. */
  letKnow(): Promise<void>
  /** Delivers that a pull request was opened or synchronized; answers the ids of its runs. */
  openPullRequest(
    forge: ShownForge,
    sourceId: string,
    pull: {
      readonly number: number
      readonly head: string
      readonly action?: string
      readonly labels?: readonly string[]
    },
  ): Promise<readonly string[]>
  /** Does what reactions to facts are queued. */
  react(): Promise<void>
  /** Does the jobs of this name that are queued now, whatever their time; answers their times. */
  work(name: string): Promise<readonly Date[]>
  close(): Promise<void>
}

const NOT_NOW = new AbortController().signal

export async function openReports(testDatabase: TestDatabase): Promise<ReportsHouse> {
  const clock = createTestClock()
  const db = testDatabase.database.kysely
  let armed: string | undefined
  const failPoints = {
    hit(name: string) {
      if (name === armed) throw new Killed()
    },
  }
  const env = { PROVIDER_HOSTS: '127.0.0.1', UI_URL: 'https://signalbox.example/', PATH: process.env['PATH'] ?? '' }
  const causes = await openCauses(testDatabase, env, { clock, failPoints }, callAsApp)

  async function take(name: string) {
    const { rows } = await sql<{ payload: unknown; runAt: Date }>`
      with taken as (delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
        where task.id = job.task_id and task.identifier = ${name} returning job.payload, job.run_at, job.id)
      select payload, run_at as "runAt" from taken order by id`.execute(db)
    return rows
  }
  async function work(name: string): Promise<readonly Date[]> {
    const taken = await take(name)
    const job = causes.jobs.find((one) => one.name === name)
    assert.ok(job, `there is no job ${name}`)
    for (const { payload } of taken) await job.run(payload, NOT_NOW)
    return taken.map(({ runAt }) => runAt)
  }
  return {
    causes,
    clock,
    killAt(point) {
      armed = point
    },
    async connect(forge, name, trigger = {}) {
      const { id } = await aConnectedSource(
        causes,
        { name, base_url: forge.url },
        { name: name.replaceAll(' ', '-'), events: ['pull_request'], branches: [], ...trigger },
      )
      // The part of git apps that admits references is not opened here.
      await db
        .updateTable('webhook_sources')
        .set({ checkout_credential_ref: 'app:github', report_status: true })
        .where('id', '=', id)
        .execute()
      await sql`update sources_revision set revision = revision + 1`.execute(db)
      await sql`select pg_notify('sources_changed', '')`.execute(db)
      return id
    },
    // A copy of the sources that is older than 5 s is compared with them.
    letKnow: () => clock.advance(6_000),
    async openPullRequest(forge, sourceId, { number, head, action = 'opened', labels = [] }) {
      const repository = { clone_url: `${forge.url}/acme/widgets.git` }
      const before = action === 'synchronize' ? { before: 'a'.repeat(40) } : {}
      const payload = aPullRequestPayload({ repository, head, number, action, labels, ...before })
      const delivery = signDelivery(payload, { secret: SECRET, event: 'pull_request', deliveryId: crypto.randomUUID() })
      const answered = await deliver(causes, `/v1/git/webhooks/${sourceId}`, delivery)
      assert.ok(answered.status < 300, answered.text)
      const { body } = await causes.call('GET', `/v1/git-webhook-sources/${sourceId}/deliveries?limit=1`)
      return JSON.parse(JSON.stringify(body[0]?.['run_ids']))
    },
    react: async () => void (await work('facts.react')),
    work,
    close: () => causes.close(),
  }
}
