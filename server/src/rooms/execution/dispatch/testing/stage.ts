import type { Assign } from '@signalbox/contracts/runner'
import type { RunDetail } from '@signalbox/contracts/runs'
import type { Database } from '#platform/database'
import type { HttpServer } from '#platform/http'
import { createTestHttp, testAuthenticator, testCaller, until } from '#platform/testing'
import { FakeRunner } from './fake-runner.ts'
import { aRunnablePipeline, type ExecutionHouse, type HouseOptions, openExecution } from './house.ts'

/** The callers: `root` may do everything, others have the rights that a test gives. */
export type Cast = Parameters<typeof testAuthenticator>[0]

interface Answer {
  readonly status: number
  // The test asserts the shape of the answer, as a client would see it.
  readonly body: ReturnType<typeof JSON.parse>
}

/** The rooms with their routes and one runner that does what a test tells it to. */
export interface Stage {
  readonly house: ExecutionHouse
  readonly runner: FakeRunner
  call(method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown, who?: string): Promise<Answer>
  /** Stores a document under a name of its own; its identifier. `document` is the YAML below `name: …`. */
  store(document: string, name?: string): Promise<string>
  /** Stores a document and starts a run of it; the run's id. */
  start(document: string, body?: Readonly<Record<string, unknown>>): Promise<string>
  show(id: string): Promise<RunDetail>
  /** Waits until the run has this status. */
  reaches(id: string, ...statuses: string[]): Promise<RunDetail>
  /** Waits until the runner has a task of the run; `at` counts those of one name. */
  given(runId: string, task: string, at?: number): Promise<Assign>
  /** Waits for a task and ends it well, with these outputs. */
  done(runId: string, task: string, outputs?: Readonly<Record<string, string>>): Promise<Assign>
  close(): Promise<void>
}

/** `capacity`: attempts that the runner has in hand at once. */
export async function openStage(
  database: Database,
  options: HouseOptions = {},
  cast: Cast = {},
  capacity = 20,
): Promise<Stage> {
  const house = await openExecution(database, options)
  const runner = await FakeRunner.enrolled(house, { name: 'box', scopes: ['acme/**'], capacity })
  await runner.connect(house)
  const routes = house.parts.flatMap((part) => part.routes ?? [])
  const http: HttpServer = await createTestHttp(routes, testAuthenticator({ root: testCaller(), ...cast }))
  let stored = 0

  const call: Stage['call'] = async (method, url, body, who = 'root') => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { authorization: `Bearer ${who}`, ...type }
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const answer = await http.app.inject({ method, url, headers, ...payload })
    return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() }
  }
  const store: Stage['store'] = async (document, name) => {
    stored += 1
    const chosen = name ?? `p${stored}`
    await aRunnablePipeline(house, chosen, document)
    return `acme/web/${chosen}`
  }
  const show = async (id: string): Promise<RunDetail> => (await call('GET', `/v1/runs/${id}`)).body
  const given: Stage['given'] = async (runId, task, at = 0) => {
    const found = () => runner.assigns.filter((assign) => assign.runId === runId && assign.task === task)[at]
    const assign = await until(`the task ${task}`, found, (one) => one !== undefined)
    if (!assign) throw new Error(`No task ${task}`)
    return assign
  }
  return {
    house,
    runner,
    call,
    store,
    async start(document, more = {}) {
      const body = { scope: 'acme/web/production', ...more }
      const identifier = await store(document)
      const answer = await call('POST', `/v1/pipelines/${encodeURIComponent(identifier)}/runs`, body)
      if (answer.status !== 202) throw new Error(`Not started: ${JSON.stringify(answer.body)}`)
      house.dispatch.poke()
      return answer.body.run_id
    },
    show,
    reaches: async (id, ...statuses) =>
      await until(
        `the run to be ${statuses.join(' or ')}`,
        () => show(id),
        (run) => statuses.includes(run.status),
      ),
    given,
    async done(runId, task, outputs = {}) {
      const assign = await given(runId, task)
      const values = Object.entries(outputs).map(([name, value]) => ({ name, value }))
      runner.finish(assign.fence, undefined, values)
      return assign
    },
    async close() {
      runner.leave()
      await http.close(100)
      await house.stop()
    },
  }
}
