import type { Api } from '../house/api.ts'
import type { StoredDelivery } from '../house/deliverer.ts'
import { listAll } from '../house/pages.ts'
import { type LogEntry, runLog } from '../house/runs.ts'
import type { Ground } from './ground.ts'
import { type LineSeen, nameOf, type Stored, type StoredAttempt, type StoredRun } from './history.ts'
import { attemptsOf, type RunShown } from './stored-runs.ts'

const AT_ONCE = 4

/** Everything that is stored in the end, by the API as users see it; only fences and connections by the database. */
export async function collect(ground: Ground): Promise<Stored> {
  const { shared, team } = ground
  const api = shared.planes[0]?.api
  if (!api) throw new Error('There is no control plane.')
  const deliveries = await listAll<StoredDelivery>(api, `/v1/git-webhook-sources/${team.sourceId}/deliveries`)
  const listed = await listAll<RunShown>(api, '/v1/runs')
  const names = new Map(
    (await api.get<{ id: string; name: string }[]>('/v1/runners')).map(({ id, name }) => [id, name]),
  )
  const fences = await readFences(shared.database.query)
  const runs: StoredRun[] = []
  const attempts: StoredAttempt[] = []
  const logs = new Map<string, LineSeen[]>()
  const left = [...listed]
  const collectSome = async (): Promise<void> => {
    for (let one = left.shift(); one; one = left.shift()) {
      const run = await api.get<RunShown>(`/v1/runs/${one.run_id}`)
      runs.push(storedRun(run))
      for (const attempt of attemptsOf(run)) {
        const runner = names.get(attempt.runner ?? '') ?? null
        attempts.push({ ...attempt, runner, fence: fences.get(nameOf(attempt)) ?? null })
      }
      for (const line of await readLog(api, run.run_id)) {
        logs.set(nameOf(line), [...(logs.get(nameOf(line)) ?? []), line])
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, collectSome))
  return {
    deliveries: deliveries.map((one) => ({
      deliveryId: one.delivery_id ?? '',
      result: one.result,
      runIds: one.run_ids,
    })),
    runs,
    attempts,
    logs,
    outputs: outputsOf(ground),
    connections: await countConnections(shared.database.query),
  }
}

/** The output of the product's processes and the database, by process. */
export function outputsOf({ shared }: Ground): ReadonlyMap<string, string> {
  const processes = [...shared.planes, ...shared.runners]
  const written = processes.map(
    ({ name, outputs }) => [name, outputs.map((output) => output()).join('\n')] satisfies [string, string],
  )
  return new Map([...written, ['database', shared.database.output()]])
}

type Query = Ground['shared']['database']['query']

async function readFences(query: Query): Promise<ReadonlyMap<string, number>> {
  const rows = await query('select run_id, step, task, number, fence from attempts where fence is not null')
  return new Map(
    rows.map((row) => [`${row['run_id']}/${row['step']}/${row['task']}#${row['number']}`, Number(row['fence'])]),
  )
}

async function countConnections(query: Query): Promise<number> {
  const [row] = await query(
    "select count(*) as connections from pg_stat_activity where backend_type = 'client backend'",
  )
  return Number(row?.['connections'] ?? 0)
}

function storedRun(run: RunShown): StoredRun {
  const approval = run.approval_requests?.find(({ status }) => status === 'waiting')
  const waitsFor = run.status === 'paused' && approval ? `approval of ${approval.step}` : (run.queue_reason ?? null)
  return { runId: run.run_id, status: run.status, commit: run.commit_sha, cause: run.cause, waitsFor }
}

async function readLog(api: Api, runId: string): Promise<readonly LineSeen[]> {
  return (await runLog(api, runId)).map((entry) => toLine(runId, entry))
}

function toLine(runId: string, { step, task, attempt, number, line, stream }: LogEntry): LineSeen {
  return { runId, step, task, attempt, number, text: line, stream }
}
