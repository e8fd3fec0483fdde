import type { Facts } from './world.ts'

/** A value of an argument: found by an expression in the question or in an earlier answer, never known beforehand. */
export interface Found {
  readonly expression: RegExp
}

/** A word that the schema of the tool offers, or a part of its input that holds found values. */
export type Argument = Found | number | boolean | { readonly word: string } | { readonly fields: Arguments }

export type Arguments = Readonly<Record<string, Argument>>

export interface Asked {
  readonly tool: string
  readonly arguments: Arguments
}

/** What a person asks, the calls of an agent without a model, and what the answers must say. */
export interface Question {
  readonly about: 'nothing started' | 'waiting' | 'failed' | 'changed' | 'schedule' | 'write'
  readonly text: (facts: Facts) => string
  readonly calls: readonly Asked[]
  /** Each must occur in one of the answers. */
  readonly says: readonly RegExp[]
}

export function found(expression: RegExp): Found {
  return { expression }
}

const ID = '[0-9a-f]{8}-[0-9a-f-]{27}'
const REPOSITORY = found(/\b(acme\/(?:shop|wiki))\b/)
const RUN = found(new RegExp(`run (${ID})`))

/** Calls that many questions begin with. */
export const explainPush: Asked = {
  tool: 'explain_push',
  arguments: { repository: REPOSITORY, commit_sha: found(/commit ([0-9a-f]{40})/) },
}
export const explainRun: Asked = { tool: 'explain_run', arguments: { run_id: RUN } }
export const explainFailure: Asked = { tool: 'explain_failure', arguments: { run_id: RUN } }
export const compare: Asked = { tool: 'compare_with_success', arguments: { run_id: RUN } }
export const confirm: Asked = {
  tool: 'confirm_plan',
  arguments: {
    plan_id: found(new RegExp(`"plan_id":"(${ID})"`)),
    action: found(/"action":"(\w+)"/),
    target: found(/"target":"([^"]+)"/),
  },
}
