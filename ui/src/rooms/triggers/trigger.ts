import type { BodyOf, ItemOf } from '@signalbox/contracts/http/requests'
import type { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import { readAssignments, writeAssignments } from '../../components/assignments.ts'

export type Trigger = ItemOf<typeof triggerRoutes.listTriggers>
export type TriggerDocument = BodyOf<typeof triggerRoutes.createTrigger>
type EventKind = Trigger['events'][number]

/** A trigger as a person edits it. */
export interface TriggerDraft {
  readonly name: string
  readonly teamPath: string
  readonly sourceId: string | null
  readonly repositories: readonly string[]
  readonly events: readonly EventKind[]
  readonly branches: readonly string[]
  readonly tags: readonly string[]
  readonly paths: readonly string[]
  readonly labels: readonly string[]
  readonly actions: readonly string[]
  /** Whether pull requests that are drafts count. */
  readonly drafts: Trigger['draft']
  readonly commands: readonly string[]
  readonly commenters: readonly string[]
  readonly skipsCi: boolean
  /** The pull request gets a comment with what became of it. */
  readonly reportsComment: boolean
  /** Empty: runs do not look at each other. */
  readonly group: string
  readonly onConflict: NonNullable<Trigger['concurrency']>['on_conflict']
  readonly condition: string
  readonly pipeline: string
  readonly scope: string
  /** A line each: NAME=value. */
  readonly variables: string
  readonly enabled: boolean
}

export function emptyDraft(teamPath: string): TriggerDraft {
  return {
    name: '',
    teamPath,
    sourceId: null,
    repositories: [],
    events: ['push'],
    branches: ['main'],
    tags: [],
    paths: [],
    labels: [],
    actions: [],
    drafts: 'any',
    commands: [],
    commenters: [],
    skipsCi: true,
    reportsComment: false,
    group: '',
    onConflict: 'queue',
    condition: '',
    pipeline: '',
    scope: '',
    variables: '',
    enabled: true,
  }
}

export function draftOf(trigger: Trigger): TriggerDraft {
  const { name, team_path, source_id, repositories, events, branches, tags, paths, labels, actions } = trigger
  return {
    name,
    teamPath: team_path,
    sourceId: source_id,
    repositories,
    events,
    branches,
    tags,
    paths,
    labels,
    actions,
    drafts: trigger.draft,
    commands: trigger.commands,
    commenters: trigger.commenters,
    skipsCi: trigger.skip_ci,
    reportsComment: trigger.report_comment,
    group: trigger.concurrency?.group ?? '',
    onConflict: trigger.concurrency?.on_conflict ?? 'queue',
    condition: trigger.if ?? '',
    pipeline: trigger.pipeline,
    scope: trigger.scope,
    variables: writeAssignments(trigger.variables),
    enabled: trigger.enabled,
  }
}

/** The document that a draft stands for. */
export function documentOf(draft: TriggerDraft): TriggerDocument {
  return {
    name: draft.name,
    team_path: draft.teamPath,
    source_id: draft.sourceId,
    repositories: draft.repositories,
    events: draft.events,
    branches: draft.branches,
    tags: draft.tags,
    paths: draft.paths,
    labels: draft.labels,
    actions: draft.actions,
    draft: draft.drafts,
    commands: draft.commands,
    commenters: draft.commenters,
    skip_ci: draft.skipsCi,
    report_comment: draft.reportsComment,
    concurrency: draft.group.trim() === '' ? null : { group: draft.group, on_conflict: draft.onConflict },
    if: draft.condition.trim() === '' ? null : draft.condition,
    pipeline: draft.pipeline,
    scope: draft.scope,
    variables: readAssignments(draft.variables),
    enabled: draft.enabled,
  }
}

/** Why a trigger is broken. */
export const SOURCE_LOST = 'Its source was deleted: it matches nothing until it has another one.'
