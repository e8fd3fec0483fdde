import * as shapes from '@signalbox/contracts/triggers'
import { triggerRoutes as stated } from '@signalbox/contracts/triggers/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve } from '#platform/http'
import { getTrigger, listTriggers, presentTrigger } from './actions/find-trigger.ts'
import { changeTrigger, createTrigger, deleteTrigger, type TriggerChange } from './actions/write-trigger.ts'
import type { Means } from './means.ts'
import { manifestJsonSchema, type TriggerDefinition } from './rules/index.ts'

export function triggerRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listTriggers(request) {
      const page = await listTriggers(means, request.caller, request.query)
      return answer(200, page.items.map(presentTrigger), linkNext(request.url, page))
    },
    async getTriggerSchema() {
      const headers = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' }
      return answer(200, manifestJsonSchema(), headers)
    },
    async getTrigger(request) {
      const trigger = await getTrigger(means, request.caller, request.params.id)
      return answer(200, presentTrigger(trigger), { etag: etagOf(trigger.updatedAt) })
    },
    async createTrigger(request) {
      const trigger = await createTrigger(means, originOf(request), readDocument(request.body))
      const headers = { location: `/v1/triggers/${trigger.id}`, etag: etagOf(trigger.updatedAt) }
      return answer(201, presentTrigger(trigger), headers)
    },
    async replaceTrigger(request) {
      const change = { definition: readDocument(request.body), explicitSource: false }
      const trigger = await changeTrigger(means, originOf(request), request.params.id, change)
      return answer(200, presentTrigger(trigger), { etag: etagOf(trigger.updatedAt) })
    },
    async updateTrigger(request) {
      const change = readPatch(request.body)
      const trigger = await changeTrigger(means, originOf(request), request.params.id, change)
      return answer(200, presentTrigger(trigger), { etag: etagOf(trigger.updatedAt) })
    },
    async deleteTrigger(request) {
      await deleteTrigger(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}

export function readDocument(body: shapes.TriggerDocument): TriggerDefinition {
  return {
    name: body.name,
    teamPath: body.team_path,
    sourceId: body.source_id ?? null,
    repositories: body.repositories,
    events: body.events,
    actions: body.actions ?? [],
    branches: body.branches ?? [],
    tags: body.tags ?? [],
    paths: body.paths ?? [],
    labels: body.labels ?? [],
    draft: body.draft ?? 'any',
    commands: body.commands ?? [],
    commenters: body.commenters ?? [],
    skipCi: body.skip_ci ?? true,
    reportComment: body.report_comment ?? false,
    condition: body.if ?? null,
    pipeline: body.pipeline,
    scope: body.scope,
    variables: body.variables ?? {},
    concurrency: readConcurrency(body.concurrency) ?? null,
    enabled: body.enabled ?? true,
  }
}

function readPatch(body: shapes.TriggerPatch): TriggerChange {
  return {
    definition: {
      name: body.name,
      teamPath: body.team_path,
      sourceId: body.source_id,
      repositories: body.repositories,
      events: body.events,
      actions: body.actions,
      branches: body.branches,
      tags: body.tags,
      paths: body.paths,
      labels: body.labels,
      draft: body.draft,
      commands: body.commands,
      commenters: body.commenters,
      skipCi: body.skip_ci,
      reportComment: body.report_comment,
      condition: body.if,
      pipeline: body.pipeline,
      scope: body.scope,
      variables: body.variables,
      concurrency: readConcurrency(body.concurrency),
      enabled: body.enabled,
    },
    explicitSource: body.source_id !== undefined,
  }
}

function readConcurrency(given: shapes.TriggerDocument['concurrency']): TriggerDefinition['concurrency'] | undefined {
  return given && { group: given.group, onConflict: given.on_conflict }
}
