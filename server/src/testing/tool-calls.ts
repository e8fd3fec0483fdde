import type { Method } from './test-house.ts'
import type { ToolPlace } from './tool-world.ts'

// Every tool with a call that is right at a place, and with the request by which HTTP answers the same.

export type HttpRequest = readonly [method: Method, url: string, payload?: object]

/** Parsed JSON. */
type Json = ReturnType<typeof JSON.parse>

export interface CallOfTool {
  readonly tool: string
  readonly input: (place: ToolPlace) => Readonly<Record<string, unknown>>
  readonly request: (place: ToolPlace) => HttpRequest
  /** Whether an answer of HTTP is about the place; left out: it is, wherever it is a success. */
  readonly isReached?: (body: Json, place: ToolPlace) => boolean
  /** What the facts share with the answer of HTTP; left out: nothing is compared. */
  readonly shared?: (facts: Json) => unknown
  /** As they are called on both sides, where the tool calls them otherwise. */
  readonly answered?: (body: Json) => unknown
  /** Another request that shows whether the tool is of use there. */
  readonly witness?: (place: ToolPlace) => HttpRequest
  readonly isOfMachines?: boolean
}

const q = encodeURIComponent
const rows = (body: Json): boolean => body.length > 0
const without = (facts: Json, ...names: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => !names.includes(name)))
const whole = (facts: Json): unknown => facts

type Tried = Omit<CallOfTool, 'request'> & { readonly plan: (place: ToolPlace) => object }

/** A plan over HTTP says the same. */
function planned({ plan, ...rest }: Tried): CallOfTool {
  return {
    ...rest,
    request: (place) => ['POST', '/v1/plans', plan(place)],
    shared: ({ action, target, effects, confirmation }) => ({ action, target, effects, confirmation }),
  }
}

const ofRun = (run: 'waiting' | 'failed') => (place: ToolPlace) => ({ run_id: place[run] })
const explained =
  (question: string, run: 'waiting' | 'failed') =>
  (place: ToolPlace): HttpRequest => ['GET', `/v1/explain/${question}?run_id=${place[run]}`]

export const READS: readonly CallOfTool[] = [
  {
    tool: 'explain_push',
    input: ({ delivery }) => ({ delivery_id: delivery }),
    request: ({ delivery }) => ['GET', `/v1/explain/push?delivery_id=${delivery}`],
    isReached: ({ changes }) => rows(changes),
    shared: whole,
  },
  {
    tool: 'explain_run',
    input: ofRun('waiting'),
    request: explained('run', 'waiting'),
    shared: whole,
  },
  {
    tool: 'explain_failure',
    input: ofRun('failed'),
    request: explained('failure', 'failed'),
    shared: (facts) => without(facts, 'roots'),
  },
  {
    tool: 'compare_with_success',
    input: ofRun('failed'),
    request: explained('changes', 'failed'),
    shared: whole,
  },
  {
    tool: 'explain_schedule',
    input: ({ schedule }) => ({ schedule, at: '2026-11-28T00:00:00Z' }),
    request: ({ schedule }) => ['GET', `/v1/explain/schedule?schedule=${q(schedule)}&at=2026-11-28T00:00:00Z`],
    shared: whole,
  },
  {
    tool: 'explain_access',
    input: ({ team }) => ({ permission: 'run.start', team_path: team }),
    request: ({ team }) => ['GET', `/v1/explain/access?permission=run.start&team_path=${q(team)}`],
    shared: whole,
  },
  {
    tool: 'find',
    input: ({ pipeline }) => ({ q: pipeline }),
    request: ({ pipeline }) => ['GET', `/v1/find?q=${q(pipeline)}&limit=10`],
    shared: whole,
  },
  {
    tool: 'whoami',
    input: () => ({}),
    request: () => ['GET', '/v1/auth/me'],
    shared: ({ kind, id, name, token }) => ({ kind, id, name, token }),
  },
  {
    tool: 'list_runs',
    input: ({ team }) => ({ team }),
    request: ({ team }) => ['GET', `/v1/runs?limit=10&teamId=${q(team)}`],
    isReached: rows,
    shared: ({ runs }) => runs,
  },
  {
    tool: 'get_run',
    input: ofRun('failed'),
    request: ({ failed }) => ['GET', `/v1/runs/${failed}`],
    shared: (facts) => without(facts, 'waits_for_people', 'pins', 'tasks', 'tasks_left_out', 'tasks_by_status'),
  },
  {
    tool: 'wait_for_run',
    input: ({ waiting }) => ({ run_id: waiting, seconds: 0 }),
    request: ({ waiting }) => ['GET', `/v1/runs/${waiting}/status?wait_seconds=0`],
    shared: whole,
  },
  {
    tool: 'read_log',
    input: ({ failed }) => ({ run_id: failed, lines: 2 }),
    request: ({ failed }) => ['GET', `/v1/runs/${failed}/logs?tail=2`],
    shared: ({ logs }) => logs,
    answered: (body) => [{ ...body[0], from: body[0].number, until: body.at(-1).number }],
  },
  {
    tool: 'search_log',
    input: ({ failed }) => ({ run_id: failed, regex: 'error', context: 0 }),
    request: ({ failed }) => ['GET', `/v1/runs/${failed}/logs?regex=error&limit=10`],
    shared: ({ hits }) => hits,
    answered: (body) => body.length,
  },
  {
    tool: 'list_pipelines',
    input: ({ team }) => ({ team_path: team }),
    request: ({ team }) => ['GET', `/v1/pipelines?limit=10&team_path=${q(team)}`],
    isReached: rows,
    shared: ({ pipelines }) => pipelines,
  },
  {
    tool: 'get_pipeline',
    input: ({ pipeline }) => ({ pipeline }),
    request: ({ pipeline }) => ['GET', `/v1/pipelines/${q(pipeline)}`],
    shared: ({ pipeline }) => without(pipeline, 'current_version'),
  },
  {
    tool: 'validate_pipeline',
    input: ({ team, scope }) => ({ team_path: team, document: documentOf(scope) }),
    request: ({ team, scope }) => ['POST', '/v1/pipelines/validate', { team_path: team, document: documentOf(scope) }],
    shared: whole,
  },
  {
    tool: 'list_deliveries',
    input: ({ source }) => ({ source_id: source }),
    request: ({ source }) => ['GET', `/v1/deliveries?limit=10&source=${source}`],
    isReached: rows,
    shared: ({ deliveries }) => deliveries,
  },
  {
    tool: 'get_delivery',
    input: ({ delivery }) => ({ delivery_id: delivery }),
    request: ({ source, delivery }) => ['GET', `/v1/git-webhook-sources/${source}/deliveries/${delivery}`],
    shared: (facts) => without(facts, 'trace'),
  },
  {
    tool: 'list_sources',
    input: ({ team }) => ({ team_path: team }),
    request: ({ team }) => ['GET', `/v1/git-webhook-sources?limit=10&team_path=${q(team)}`],
    isReached: rows,
    shared: ({ sources }) => sources.map((each: Json) => without(each, 'health')),
  },
  {
    tool: 'list_triggers',
    input: ({ team }) => ({ team_path: team }),
    request: ({ team }) => ['GET', `/v1/triggers?limit=10&team_path=${q(team)}`],
    isReached: rows,
    shared: ({ triggers }) => triggers,
  },
  {
    tool: 'simulate_trigger',
    input: triggerOf,
    request: (place) => [
      'POST',
      '/v1/triggers/simulate',
      { trigger: { name: 'tried', ...triggerOf(place) }, limit: 10 },
    ],
    shared: ({ deliveries_considered }) => ({ deliveries_considered }),
  },
  {
    tool: 'preview_override',
    input: ({ pipeline, scope }) => ({ repository: 'acme/widgets', pipeline, scope }),
    request: ({ pipeline, scope }) => [
      'POST',
      '/v1/overrides/preview',
      { repo_owner: 'acme', repo_name: 'widgets', pipeline, scope },
    ],
    shared: whole,
  },
  {
    tool: 'list_runners',
    input: ({ team }) => ({ team_path: team }),
    request: ({ team }) => ['GET', `/v1/runners?limit=10&team_path=${q(team)}`],
    isReached: rows,
    shared: ({ runners }) => runners,
  },
  {
    tool: 'list_approvals',
    input: ({ team }) => ({ team_path: team }),
    request: ({ team }) => ['GET', `/v1/approvals?limit=10&team_path=${q(team)}`],
    shared: ({ approvals }) => approvals,
    // Whom a step asks is written in its pipeline: whoever sees the run may be asked.
    witness: ({ held }) => ['GET', `/v1/runs/${held}`],
  },
  {
    tool: 'list_schedules',
    input: ({ team }) => ({ team_path: team }),
    request: ({ team }) => ['GET', `/v1/schedules?limit=10&team_path=${q(team)}`],
    isReached: rows,
    shared: ({ schedules }) => schedules,
  },
  {
    tool: 'list_knowledge',
    input: ({ knowledge }) => ({ item: knowledge }),
    request: ({ knowledge }) => ['GET', `/v1/knowledge/${knowledge}`],
    shared: ({ item }) => item,
  },
  {
    tool: 'list_audit',
    input: ({ source }) => ({ resource: `webhook_source:${source}` }),
    request: ({ source }) => ['GET', `/v1/audit?limit=10&resource=webhook_source:${source}`],
    isReached: rows,
    shared: ({ records }) => records,
  },
]

const DISABLED = { change: 'update', fields: { enabled: false } }

export const PLANS: readonly CallOfTool[] = [
  planned({
    tool: 'plan_start_run',
    input: ({ pipeline, scope }) => ({ pipeline, scope }),
    plan: ({ pipeline, scope }) => ({ action: 'startRun', params: { id: pipeline }, body: { scope } }),
  }),
  planned({
    tool: 'plan_rerun',
    input: ofRun('failed'),
    plan: ({ failed }) => ({ action: 'rerunRun', params: { id: failed }, body: {} }),
  }),
  planned({
    tool: 'plan_cancel_run',
    input: ofRun('waiting'),
    plan: ({ waiting }) => ({ action: 'cancelRun', params: { id: waiting }, body: {} }),
  }),
  planned({
    tool: 'plan_replay',
    input: ({ source, delivery }) => ({ source_id: source, delivery_id: delivery }),
    plan: ({ source, delivery }) => ({
      action: 'replayDelivery',
      params: { sourceID: source, deliveryID: delivery },
    }),
  }),
  planned({
    tool: 'plan_pipeline',
    input: ({ pipeline }) => ({ pipeline, document: documentOf() }),
    plan: ({ pipeline }) => ({
      action: 'replacePipeline',
      params: { id: pipeline },
      body: { document: documentOf() },
    }),
  }),
  planned({
    tool: 'plan_trigger',
    input: ({ trigger }) => ({ ...DISABLED, trigger_id: trigger }),
    plan: ({ trigger }) => ({ action: 'updateTrigger', params: { id: trigger }, body: DISABLED.fields }),
  }),
  planned({
    tool: 'plan_schedule',
    input: ({ schedule }) => ({ change: 'delete', schedule }),
    plan: ({ schedule }) => ({ action: 'deleteSchedule', params: { id: schedule } }),
  }),
  planned({
    tool: 'plan_override',
    input: ({ repository }) => ({ repository, delete: true }),
    plan: ({ repository }) => ({
      action: 'deleteOverride',
      params: { repoOwner: 'acme', repoName: repository.slice('acme/'.length) },
    }),
  }),
  planned({
    tool: 'plan_runner',
    input: ({ runner }) => ({ runner_id: runner, draining: true }),
    plan: ({ runner }) => ({ action: 'updateRunner', params: { id: runner }, body: { draining: true } }),
  }),
  planned({
    tool: 'plan_approval',
    input: ({ held }) => ({ run_id: held, step: 'fork', decision: 'reject' }),
    plan: ({ held }) => ({
      action: 'decideApproval',
      params: { id: held, step: 'fork' },
      body: { decision: 'reject' },
    }),
    // A step of any pipeline may name any service account, and no step that names people means a machine.
    witness: ({ held }) => ['GET', `/v1/runs/${held}`],
    isOfMachines: true,
  }),
]

export const CONFIRMATION: CallOfTool = {
  tool: 'confirm_plan',
  input: ({ plan, waiting }) => ({ plan_id: plan, action: 'cancelRun', target: `run ${waiting}` }),
  request: ({ plan, waiting }) => [
    'POST',
    `/v1/plans/${plan}/confirm`,
    { action: 'cancelRun', target: `run ${waiting}` },
  ],
}

function documentOf(scope?: string): string {
  const placed = scope === undefined ? '' : `    scope: ${scope}\n`
  return `name: build\ncheckout: false\nsteps:\n  - name: a\n${placed}    tasks:\n      - { name: b, run: echo hi }\n`
}

function triggerOf({ team, source, pipeline, scope }: ToolPlace) {
  const matching = { repositories: ['acme/widgets'], events: ['push'] }
  return { team_path: team, source_id: source, ...matching, pipeline, scope }
}
