import type { BootstrapState, Me, NewToken } from '@signalbox/contracts/access'
import type { Readiness } from '@signalbox/contracts/health'
import type {
  Pipeline,
  PipelineSummary,
  PipelineValidationResult,
  PipelineVersion,
  PipelineVersionDetail,
  DocumentProblem as WireProblem,
} from '@signalbox/contracts/pipelines'
import type { NewRunnerEnrollment } from '@signalbox/contracts/runners'
import type {
  RerunAnswer,
  RunStarted,
  RunStatusAnswer,
  RunDetail as WireRunDetail,
  RunStep as WireRunStep,
  RunSummary as WireRunSummary,
  RunTask as WireRunTask,
} from '@signalbox/contracts/runs'
import type { Secret } from '@signalbox/contracts/secrets'
import type { NewAdministrator, Preflight, SetupBlocker } from '@signalbox/contracts/setup'
import type { Delivery, WebhookSource } from '@signalbox/contracts/sources'
import type { Trigger } from '@signalbox/contracts/triggers'
import { approvalRequest, runApproval } from './approval-answers.ts'
import { anything, flag, list, number, object, orNull, partOf, text } from './shape.ts'

// What the commands read of the answers of the API. The whole shapes are in contracts; --json prints all of them.

export const secret = partOf<Secret>()(
  object({
    id: text,
    team_path: text,
    name: text,
    version: number,
    versions: orNull(list(object({ version: number, created_at: text, last_used_at: orNull(text) }))),
    updated_at: text,
    last_used_at: orNull(text),
  }),
)

export const documentProblem = partOf<WireProblem>()(
  object({ directive: text, line: number, column: number, message: text }),
)
export type DocumentProblem = ReturnType<typeof documentProblem>

export const validation = partOf<PipelineValidationResult>()(
  object({
    valid: flag,
    errors: list(documentProblem),
    warnings: list(documentProblem),
  }),
)

export const pipelineSummary = partOf<PipelineSummary>()(
  object({
    id: text,
    identifier: text,
    version: number,
    updated_at: text,
  }),
)

export const pipeline = partOf<Pipeline>()(
  object({
    id: text,
    identifier: text,
    version: number,
    document: text,
    profile: orNull(text),
    saved_by: text,
    updated_at: text,
    warnings: orNull(list(documentProblem)),
  }),
)

const saved = { id: text, version: number, saved_by: text, saved_at: text }

export const pipelineVersionSummary = partOf<PipelineVersion>()(object(saved))

export const pipelineVersion = partOf<PipelineVersionDetail>()(object({ ...saved, document: text }))

export const source = partOf<WebhookSource>()(
  object({
    id: text,
    name: text,
    provider: text,
    team_path: text,
    enabled: flag,
    payload_url: orNull(text),
    credential_ref: text,
    repository_allowlist: list(text),
    connected_trigger_count: number,
    notes: list(text),
  }),
)

export const delivery = partOf<Delivery>()(
  object({
    id: text,
    received_at: text,
    event_type: text,
    repository: orNull(text),
    ref: orNull(text),
    result: text,
    verification: text,
    status_code: number,
    reason: text,
    replay_of: orNull(text),
    run_ids: list(text),
  }),
)

const condition = object({ condition: text, expected: text, seen: orNull(text), passed: orNull(flag) })
const noted = object({ note: orNull(text) })

/** `note` may be left out, deep within an answer; the shapes of objects know no such field. */
function conditionTrace(value: unknown, at: string): ReturnType<typeof condition> & { readonly note?: string | null } {
  return { ...condition(value, at), ...noted(value, at) }
}

export const triggerTrace = object({
  layer: text,
  name: text,
  team_path: text,
  outcome: text,
  first_failed: orNull(text),
  reason: orNull(text),
  run_id: orNull(text),
  conditions: list(conditionTrace),
})
export type TriggerTrace = ReturnType<typeof triggerTrace>

export const trigger = partOf<Trigger>()(
  object({
    id: text,
    name: text,
    team_path: text,
    repositories: list(text),
    events: list(text),
    pipeline: text,
    scope: text,
    enabled: flag,
  }),
)

export const startedRun = partOf<RunStarted>()(object({ run_id: text, note: orNull(text) }))

export const canceled = partOf<RunStatusAnswer>()(object({ status: text }))

const advice = partOf<SetupBlocker>()(object({ code: text, message: text, remedy: text }))
export const newAdministrator = partOf<NewAdministrator>()(object({ token: orNull(text), advice: list(advice) }))

export const bootstrapState = partOf<BootstrapState>()(
  object({ valid: flag, configured: flag, administrator_exists: flag }),
)

export const freshToken = partOf<NewToken>()(object({ id: text, token: text }))

export const enrollment = partOf<NewRunnerEnrollment>()(object({ token: text }))

export const me = partOf<Me>()(object({ capabilities: anything }))

export const readiness = partOf<Readiness>()(
  object({
    status: text,
    checks: list(object({ name: text, ok: flag, message: text })),
  }),
)

export const preflight = partOf<Preflight>()(
  object({
    ready: flag,
    blockers: list(object({ code: text, message: text, remedy: text })),
  }),
)

export const setting = object({
  name: text,
  value: anything,
  origin: text,
  default: anything,
  secret: flag,
  text,
})
export type Setting = ReturnType<typeof setting>

export const runSummary = partOf<WireRunSummary>()(
  object({
    run_id: text,
    pipeline: text,
    status: text,
    branch: orNull(text),
    tag: orNull(text),
    base_ref: orNull(text),
    head_ref: orNull(text),
    commit_sha: orNull(text),
    pull_request: orNull(number),
    hold: orNull(object({ kind: text })),
    queued_at: text,
    started_at: orNull(text),
    finished_at: orNull(text),
  }),
)

export type RunSummary = ReturnType<typeof runSummary>

export const runTask = partOf<WireRunTask>()(
  object({
    name: text,
    status: text,
    attempt: number,
    reason: orNull(text),
    waiting_reason: orNull(text),
    attempts: orNull(
      list(
        object({
          attempt: number,
          runner_id: orNull(text),
          exit_code: orNull(number),
          child_run_id: orNull(text),
          images: list(object({ service: orNull(text), image: text, digest: text })),
        }),
      ),
    ),
    started_at: orNull(text),
    finished_at: orNull(text),
  }),
)
export type RunTask = ReturnType<typeof runTask>

export const runStep = partOf<WireRunStep>()(
  object({
    name: text,
    status: text,
    reason: orNull(text),
    started_at: orNull(text),
    finished_at: orNull(text),
    tasks: list(runTask),
  }),
)

export const runDetail = partOf<WireRunDetail>()(
  object({
    run_id: text,
    pipeline: text,
    status: text,
    reason: orNull(text),
    queue_reason: orNull(text),
    queue_position: orNull(number),
    queue_position_over: orNull(number),
    queue_estimate_seconds: orNull(number),
    priority: orNull(number),
    parent_run_id: orNull(text),
    cause: text,
    initiator: object({ name: text }),
    scope: text,
    repository: orNull(text),
    branch: orNull(text),
    tag: orNull(text),
    base_ref: orNull(text),
    head_ref: orNull(text),
    commit_sha: orNull(text),
    rerun_of: orNull(text),
    replay_of: orNull(text),
    pull_request: orNull(number),
    untrusted: orNull(flag),
    concurrency: orNull(object({ group: text, on_conflict: text })),
    note: orNull(text),
    approvals: orNull(list(runApproval)),
    approval_requests: orNull(list(approvalRequest)),
    queued_at: text,
    started_at: orNull(text),
    finished_at: orNull(text),
    steps: list(runStep),
  }),
)
export const runStatus = partOf<RunStatusAnswer>()(object({ status: text }))

export type RunDetail = ReturnType<typeof runDetail>

export const rerun = partOf<RerunAnswer>()(object({ runId: text }))
