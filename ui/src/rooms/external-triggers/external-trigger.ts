import type { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import type { BodyOf, ItemOf } from '@signalbox/contracts/http/requests'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import { readAssignments, writeAssignments } from '../../components/assignments.ts'
import { quote } from '../../components/quote.ts'

export type ExternalTrigger = ItemOf<typeof externalTriggerRoutes.listExternalTriggers>
export type WithSecret = SuccessOf<typeof externalTriggerRoutes.rotateExternalTrigger>
type ExternalTriggerDocument = BodyOf<typeof externalTriggerRoutes.createExternalTrigger>

/** An external trigger as a person edits it. */
export interface ExternalTriggerDraft {
  readonly teamPath: string
  readonly name: string
  readonly pipeline: string
  readonly scope: string
  /** A line each: NAME=value. */
  readonly variables: string
  readonly allowedVariables: readonly string[]
  readonly runTeamPath: string
  readonly perMinute: number
  readonly enabled: boolean
}

export function emptyDraft(teamPath: string): ExternalTriggerDraft {
  return {
    teamPath,
    name: '',
    pipeline: '',
    scope: '',
    variables: '',
    allowedVariables: [],
    runTeamPath: '',
    perMinute: 60,
    enabled: true,
  }
}

export function draftOf(trigger: ExternalTrigger): ExternalTriggerDraft {
  return {
    teamPath: trigger.team_path,
    name: trigger.name,
    pipeline: trigger.pipeline,
    scope: trigger.scope,
    variables: writeAssignments(trigger.variables),
    allowedVariables: trigger.allowed_variables,
    runTeamPath: trigger.run_team_path ?? '',
    perMinute: trigger.rate_limit.per_minute,
    enabled: trigger.enabled,
  }
}

/** The document that a draft stands for. */
export function documentOf(draft: ExternalTriggerDraft): ExternalTriggerDocument {
  return {
    team_path: draft.teamPath,
    name: draft.name,
    pipeline: draft.pipeline,
    ...(draft.scope === '' ? {} : { scope: draft.scope }),
    variables: readAssignments(draft.variables),
    allowed_variables: draft.allowedVariables,
    run_team_path: draft.runTeamPath === '' ? null : draft.runTeamPath,
    rate_limit: { per_minute: draft.perMinute },
    enabled: draft.enabled,
  }
}

/** The whole address; the control plane leaves out the host where it does not know its own. */
export function wholeAddress(url: string, base: string): string {
  return url.startsWith('/') ? new URL(`.${url}`, base).href : url
}

/** What a sender runs: valid when it is pasted into a shell. */
export function curlOf(address: string, secret: string): string {
  return `curl --fail-with-body --request POST --header ${quote(`authorization: Bearer ${secret}`)} ${quote(address)}`
}
