import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog as createRunnerLog, runRunner, StopButton } from '@signalbox/runner'
import type { Database } from '#platform/database'
import { createGrpcServer, type GrpcServer } from '#platform/grpc'
import type { Caller } from '#platform/http'
import type { Kit, Loop, RoomParts } from '#platform/room'
import { createTestKit, testCaller, until } from '#platform/testing'
import { type Knowledge, knowledge } from '#rooms/catalog/knowledge'
import { type Pipelines, pipelines } from '#rooms/catalog/pipelines'
import { profiles } from '#rooms/catalog/profiles'
import { type Runners, runners } from '#rooms/catalog/runners'
import { type Approvals, approvals } from '#rooms/execution/approvals'
import type { Artifacts } from '#rooms/execution/artifacts'
import { type Logs, logs } from '#rooms/execution/logs'
import { type HeadReader, type NewRun, type Runs, runs } from '#rooms/execution/runs'
import type { AccessSnapshot, ScopeVerdict } from '#rooms/foundation/access'
import { audit } from '#rooms/foundation/audit'
import { type Secrets, secrets } from '#rooms/foundation/secrets'
import { type Teams, teams } from '#rooms/foundation/teams'
import { openAppsRoom } from '../../../catalog/git-apps/testing.ts'
import { aPipeline, NOTHING_ABOVE as NO_PIPELINES_ABOVE } from '../../../catalog/pipelines/testing.ts'
import { aRunner, type TestRunner } from '../../../catalog/runners/testing.ts'
import { aSnapshot, openFoundation } from '../../../foundation/access/testing.ts'
import { NOTHING_ABOVE as NO_SECRETS_ABOVE } from '../../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../../foundation/teams/testing.ts'
import { NOTHING_ABOVE as NO_RUNS_ABOVE } from '../../runs/testing.ts'
import { type Dispatch, dispatch } from '../index.ts'
import type { Means } from '../means.ts'
import { RunnerSessions } from '../sessions/runner-sessions.ts'

export interface ExecutionHouse {
  readonly kit: Kit
  readonly runs: Runs
  readonly approvals: Approvals
  readonly logs: Logs
  readonly knowledge: Knowledge
  readonly pipelines: Pipelines
  readonly runners: Runners
  readonly secrets: Secrets
  readonly teams: Teams
  readonly dispatch: Dispatch
  /** The means of the dispatcher's actions; no runner has a session in them. */
  readonly means: Means
  readonly parts: readonly RoomParts<unknown>[]
  readonly port: number
  /** Graceful, as the house stops; the tables are as they are. */
  stop(): Promise<void>
}

export interface HouseOptions {
  /** Options by their environment names. */
  readonly env?: Readonly<Record<string, string>>
  /** The callers by the ids of initiators; default: everybody may do everything. */
  readonly subject?: (id: string) => Caller | undefined
  /** The names and roles of everybody; default: nobody has any. */
  readonly snapshot?: () => AccessSnapshot
  /** Users by the ids of their accounts at Git providers; default: none is linked. */
  readonly linked?: ReadonlyMap<string, string>
  /** The verdict on a scope for everybody; default: all existing scopes are usable. */
  readonly judgeScope?: (scope: string) => ScopeVerdict
  readonly kit?: Partial<Kit>
  /** The files of attempts; default: no task has any. */
  readonly artifacts?: Artifacts
  /** The newest commits of pull requests; default: all unknown. */
  readonly readHead?: HeadReader
  /** False: no dispatcher moves any run. */
  readonly dispatches?: boolean
  /** Keep the port of the house before, so that runners find it again. */
  readonly port?: number
}

/** A runner that a test plays says nothing by itself, and any machine stands still at times: no lease ends by chance. */
const PATIENT = { LEASE_SECONDS: '300', HEARTBEAT_SECONDS: '20' }

/** The rooms from audit to dispatch on a test's database, with a gateway on loopback and their loops running. */
export async function openExecution(database: Database, options: HouseOptions = {}): Promise<ExecutionHouse> {
  const kit: Kit = {
    ...createTestKit(database, { env: { ...PATIENT, ...options.env } }),
    ...options.kit,
  }
  const foundationRooms = await openFoundation(kit)
  const access = {
    ...foundationRooms.access,
    subject: async (_kind: string, id: string) => (options.subject ? options.subject(id) : testCaller()),
    async judgeScope(_caller: Caller, scope: string) {
      const exists = (await teamParts.door.resolveScope(database.kysely, scope)) !== undefined
      return options.judgeScope?.(scope) ?? (exists ? 'usable' : 'unknown')
    },
    canUseScope: async () => true,
    snapshot: async () => options.snapshot?.() ?? aSnapshot(),
  }
  const auditParts = await audit.open(kit, {})
  const teamParts = await teams.open(kit, { audit: auditParts.door })
  const foundation = { audit: auditParts.door, teams: teamParts.door }
  const secretParts = await secrets.open(kit, { ...foundation, above: NO_SECRETS_ABOVE })
  const gitAppParts = await openAppsRoom(kit, { ...foundation, access, secrets: secretParts.door })
  const knowledgeParts = await knowledge.open(kit, foundation)
  const profileParts = await profiles.open(kit, foundation)
  const pipelineParts = await pipelines.open(kit, {
    ...foundation,
    access,
    secrets: secretParts.door,
    profiles: profileParts.door,
    above: NO_PIPELINES_ABOVE,
  })
  const runnerParts = await runners.open(kit, foundation)
  const runParts = await runs.open(kit, {
    ...foundation,
    access,
    knowledge: knowledgeParts.door,
    pipelines: pipelineParts.door,
    runners: runnerParts.door,
    secrets: secretParts.door,
    above: {
      ...NO_RUNS_ABOVE,
      ...(options.readHead ? { readHead: options.readHead } : {}),
      readRequests: (...asked) => approvalParts.door.readRequests(...asked),
    },
  })
  const approvalParts: RoomParts<Approvals> = await approvals.open(kit, {
    audit: auditParts.door,
    access,
    identities: { findGitUser: async (_db, { accountId }) => options.linked?.get(accountId) },
    runs: runParts.door,
  })
  const logParts = await logs.open(kit, {
    runs: runParts.door,
    audit: auditParts.door,
    secrets: secretParts.door,
  })
  const doors = {
    access,
    gitApps: gitAppParts.door,
    teams: teamParts.door,
    secrets: secretParts.door,
    knowledge: knowledgeParts.door,
    profiles: profileParts.door,
    pipelines: pipelineParts.door,
    runners: runnerParts.door,
    runs: runParts.door,
    approvals: approvalParts.door,
    artifacts: options.artifacts ?? { giveAttempt: async () => undefined },
    logs: logParts.door,
  }
  const dispatchParts = await dispatch.open(kit, doors)
  const parts: RoomParts<unknown>[] = [
    secretParts,
    gitAppParts,
    knowledgeParts,
    pipelineParts,
    runnerParts,
    runParts,
    approvalParts,
    logParts,
    dispatchParts,
  ]
  const grpc: GrpcServer = createGrpcServer(dispatchParts.services ?? [], undefined, kit.clock)
  const port = await grpc.listen('127.0.0.1', options.port ?? 0)
  const stopping = new AbortController()
  const loops: readonly Loop[] = options.dispatches === false ? [] : (dispatchParts.loops ?? [])
  const running = loops.map((loop) => loop.run(stopping.signal))
  return {
    kit,
    runs: runParts.door,
    approvals: approvalParts.door,
    logs: logParts.door,
    knowledge: knowledgeParts.door,
    pipelines: pipelineParts.door,
    runners: runnerParts.door,
    secrets: secretParts.door,
    teams: teamParts.door,
    dispatch: dispatchParts.door,
    means: { ...kit, ...doors, processId: kit.ids.next(), sessions: new RunnerSessions(runnerParts.door) },
    parts,
    port,
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await grpc.close(500)
      for (const part of parts.toReversed()) await part.close?.()
      await foundationRooms.close()
    },
  }
}

/** Stores a pipeline of acme/web and its scope; `document` is the YAML below `name: build`. */
export async function aRunnablePipeline(
  house: ExecutionHouse,
  name: string,
  steps: string,
): Promise<Omit<NewRun, 'cause'>> {
  const db = house.kit.database.kysely
  const scope = 'acme/web/production'
  if (!(await db.selectFrom('environments').select('id').executeTakeFirst())) await anEnvironment(db, scope)
  await aPipeline(db, `acme/web/${name}`, `name: ${name}\n${steps}`)
  const pipeline = await house.pipelines.resolveForRun(db, `acme/web/${name}`)
  if (!pipeline) throw new Error(`No pipeline acme/web/${name}`)
  return { pipeline, scope, initiator: { kind: 'user', id: '01900000-0000-7000-8000-000000000001', name: 'tester' } }
}

/**
 * The run's leased attempts are lost, as if their runner had been silent for a whole lease. The update repeats, because a
 * process that was itself suspended renews every lease in full.
 */
export async function endLeases(house: ExecutionHouse, runId: string): Promise<void> {
  const db = house.kit.database.kysely
  const leased = db.selectFrom('attempts').select('id').where('run_id', '=', runId).where('status', '=', 'leased')
  const ids = (await leased.execute()).map(({ id }) => id)
  const ending = db.updateTable('attempts').set({ lease_expires_at: new Date(0) })
  await until(
    'its leases to end',
    async () => await ending.where('id', 'in', ids).where('status', '=', 'leased').returning('id').execute(),
    (left) => left.length === 0,
  )
}

/** Queues one run as a request does, and pokes the dispatcher. */
export async function startRun(house: ExecutionHouse, run: Omit<NewRun, 'cause'>): Promise<string> {
  const ids = await house.kit.database.transaction((tx) => house.runs.queue(tx, [{ cause: 'request', ...run }]))
  house.dispatch.poke()
  return ids[0] ?? ''
}

/** The runner leaves, and the call returns once the house knows: later work is not given to the runner that left. */
export async function sendAway(house: ExecutionHouse, runner: { readonly id: string; leave(): void }): Promise<void> {
  runner.leave()
  const known = house.kit.database.kysely.selectFrom('runners').select('connected_to').where('id', '=', runner.id)
  await until(
    'the runner to be known as gone',
    () => known.executeTakeFirst(),
    (row) => (row?.connected_to ?? null) === null,
  )
}

export interface RunnerInTest {
  readonly id: string
  /** The lines that the runner logged. */
  readonly diary: readonly string[]
  /** Drains and leaves. */
  stop(): Promise<void>
}

/** A real runner in this process, enrolled already. */
export async function connectRunner(
  house: ExecutionHouse,
  options: TestRunner & { readonly port?: number; readonly localRepositories?: readonly string[] } = {},
): Promise<RunnerInTest> {
  const diary: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-runner-'))
  // The accounts of tasks may pass through: else the workspaces would lie elsewhere, and stay.
  chmodSync(folder, 0o711)
  const workDir = join(folder, 'work')
  mkdirSync(workDir)
  const { id, credential } = await aRunner(house.kit.database.kysely, options)
  const url = `http://127.0.0.1:${options.port ?? house.port}`
  writeFileSync(join(workDir, 'credential.json'), JSON.stringify({ runner_id: id, credential, url }), { mode: 0o600 })
  const button = new StopButton()
  const done = runRunner(
    { url, workDir, capacity: options.capacity ?? 4, localRepositories: options.localRepositories },
    { log: createRunnerLog((line) => void diary.push(line)), stops: button.source },
  )
  done.catch(() => undefined)
  return {
    id,
    diary,
    async stop() {
      button.press()
      await done
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
