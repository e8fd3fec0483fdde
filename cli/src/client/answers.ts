import { anything, flag, list, number, object, orNull, text } from './shape.ts'

// What the commands read of the answers of the API. The whole shapes are in contracts; --json prints all of them.

export const team = object({ id: text, path: text, name: text, created_at: text })
export type Team = ReturnType<typeof team>

export const environment = object({ id: text, name: text, scope: text, protected: flag })

export const secret = object({
  id: text,
  team_path: text,
  name: text,
  version: number,
  updated_at: text,
  last_used_at: orNull(text),
})

export const documentProblem = object({ directive: text, line: number, column: number, message: text })
export type DocumentProblem = ReturnType<typeof documentProblem>

export const validation = object({ valid: flag, errors: list(documentProblem), warnings: list(documentProblem) })

export const pipelineSummary = object({ id: text, identifier: text, version: number, updated_at: text })

export const pipeline = object({
  id: text,
  identifier: text,
  version: number,
  document: text,
  profile: orNull(text),
  saved_by: text,
  updated_at: text,
  warnings: orNull(list(documentProblem)),
})

export const source = object({
  id: text,
  name: text,
  provider: text,
  team_path: text,
  enabled: flag,
  repository_allowlist: list(text),
  connected_trigger_count: number,
})

export const delivery = object({
  id: text,
  received_at: text,
  event_type: text,
  repository: orNull(text),
  ref: orNull(text),
  result: text,
  verification: text,
  status_code: number,
  reason: text,
  run_ids: list(text),
})

export const trigger = object({
  id: text,
  name: text,
  team_path: text,
  repositories: list(text),
  events: list(text),
  pipeline: text,
  scope: text,
  enabled: flag,
})

export const accepted = object({ run_id: text, status: text })

export const answerOfIngress = object({ status: text })

export const token = object({ id: text, name: text, expires_at: orNull(text), last_used_at: orNull(text) })

export const freshToken = object({ id: text, token: text })

export const enrollment = object({ token: text })

export const me = object({ capabilities: anything })

export const readiness = object({
  status: text,
  checks: list(object({ name: text, ok: flag, message: text })),
})

export const preflight = object({
  ready: flag,
  blockers: list(object({ code: text, message: text, remedy: text })),
})

export const setting = object({
  name: text,
  value: anything,
  origin: text,
  default: anything,
  secret: flag,
  text,
})
export type Setting = ReturnType<typeof setting>

export const runSummary = object({
  run_id: text,
  pipeline_name: text,
  status: text,
  scope: orNull(text),
  branch: orNull(text),
  commit_sha: orNull(text),
  queued_at: orNull(text),
  started_at: orNull(text),
  finished_at: orNull(text),
})
export type RunSummary = ReturnType<typeof runSummary>

export const runTask = object({
  name: text,
  status: text,
  attempt: number,
  reason: orNull(text),
  started_at: orNull(text),
  finished_at: orNull(text),
})
export type RunTask = ReturnType<typeof runTask>

export const runStep = object({
  name: text,
  status: text,
  reason: orNull(text),
  started_at: orNull(text),
  finished_at: orNull(text),
  tasks: list(runTask),
})
export type RunStep = ReturnType<typeof runStep>

export const runDetail = object({
  run_id: text,
  pipeline_name: text,
  status: text,
  reason: orNull(text),
  queue_reason: orNull(text),
  scope: orNull(text),
  branch: orNull(text),
  commit_sha: orNull(text),
  queued_at: orNull(text),
  started_at: orNull(text),
  finished_at: orNull(text),
  steps: list(runStep),
})
export type RunDetail = ReturnType<typeof runDetail>

export const runStatus = object({ status: text })

export const logEntry = object({ step: text, task: text, attempt: number, number, line: text })
export type LogEntry = ReturnType<typeof logEntry>

export const rerun = object({ runId: text })
