import type { Api } from './api.ts'
import type { House } from './house.ts'
import { startRunner } from './runner.ts'
import { runEnd } from './runs.ts'
import { makePipeline, type Team } from './team.ts'
import { waitFor } from './wait.ts'

interface Made {
  readonly id: string
}

/** A rule that every run meets. */
export const RULE = { rule: 'run.scope != "nowhere"', message: 'Nothing runs nowhere.', text: 'Where things run.' }

/** Two guardrails and their revisions. */
export async function makeKnowledge(admin: Api, path: string) {
  const make = (name: string) =>
    admin.send<Made & { revision_id: string }>('POST', '/v1/knowledge', {
      team_path: path,
      name,
      kind: 'guardrail',
      ...RULE,
    })
  const items = [await make('first'), await make('spare')]
  return { items: items.map(({ id }) => id), revisions: items.map(({ revision_id }) => revision_id) }
}

/** Two emergencies in a scope where nothing runs. */
export async function makeEmergencies(admin: Api, scope: string): Promise<string[]> {
  const declare = () => admin.send<Made>('POST', '/v1/emergencies', { scope, reason: 'Smoke.' })
  return [(await declare()).id, (await declare()).id]
}

/** Two schedules that fire once a year, and two backfills of the first one. */
export async function makeSchedules(admin: Api, { path, scope }: Team, pipeline: string) {
  const make = (name: string) =>
    admin.send<Made>('POST', '/v1/schedules', {
      path,
      name,
      pipeline,
      scope,
      schedule_kind: 'recurring',
      cron_expression: '0 3 29 2 *',
    })
  const [first, spare] = [await make('first'), await make('spare')]
  const fill = (year: number) =>
    admin.send<Made>('POST', `/v1/schedules/${first.id}/backfill`, {
      from: `${year}-01-01T00:00:00Z`,
      to: `${year}-12-31T00:00:00Z`,
    })
  const backfills = [await fill(2020), await fill(2024)]
  return { schedules: [first.id, spare.id], backfills: backfills.map(({ id }) => id) }
}

const LEAVING = `name: leaving
checkout: false
steps:
  - name: leave
    tasks:
      - { name: first, run: "echo first > first.txt", artifacts: { paths: [first.txt] } }
      - { name: spare, run: "echo spare > spare.txt", artifacts: { paths: [spare.txt] } }
final_outputs:
  - { name: summary, format: text, template: All is left. }
`

/** A run in an environment of its own, the two artifacts that it left, and its final output `summary`. */
export async function makeArtifacts(house: House, admin: Api, team: Team) {
  const scope = `${team.path}/leaving`
  await admin.send('POST', `/v1/teams/${team.path}/environments`, { name: 'leaving' })
  const pipeline = await makePipeline(admin, team, LEAVING)
  const asked = `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`
  const { run_id: runId } = await admin.send<{ run_id: string }>('POST', asked, { scope })
  const name = `${team.path}-leaving`
  const runner = await startRunner({ ...house, api: admin }, { name, scopes: [scope], teamPath: team.path })
  const run = await runEnd(admin, runId)
  await runner.stop()
  if (run.status !== 'success') throw new Error(`No artifacts were left: ${JSON.stringify(run)}`)
  await waitFor(
    'the final output',
    () => admin.get<{ name: string }[]>(`/v1/runs/${runId}/final-outputs`),
    (outputs) => outputs.length > 0,
  )
  const artifacts = (await admin.get<Made[]>(`/v1/runs/${runId}/artifacts`)).map(({ id }) => id)
  return { artifacts, runId }
}
