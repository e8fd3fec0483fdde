import { Uuid } from '@signalbox/contracts/http'
import { Trigger, TriggerDocument, TriggerPatch, TriggerQuery } from '@signalbox/contracts/triggers'
import { Type } from 'typebox'
import { type Answer, answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { getTrigger, listTriggers, presentTrigger } from './actions/find-trigger.ts'
import { changeTrigger, createTrigger, deleteTrigger, type TriggerChange } from './actions/write-trigger.ts'
import type { TriggerNeeds } from './index.ts'
import { manifestJsonSchema, type TriggerDefinition, type Trigger as TriggerRow } from './rules/index.ts'

const tag = 'triggers'
const params = Type.Object({ id: Uuid })

/** `changed` is called after a commit, so that a delivery that follows at once sees the trigger. */
export function triggerRoutes(kit: Kit, needs: TriggerNeeds, changed: () => void): Route[] {
  return [...reading(kit), ...writing(kit, needs, changed)]
}

function reading(kit: Kit): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/triggers',
      summary: 'List the triggers that the caller may see, newest first',
      tag,
      class: 'authorized',
      permission: 'trigger.read',
      schema: { query: TriggerQuery },
      responses: { 200: Type.Array(Trigger) },
      handle: async (request) => {
        const page = await listTriggers(kit, request.caller, request.query)
        return answer(200, page.items.map(presentTrigger), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/schemas/triggers.json',
      summary: "JSON Schema of a repository's manifest, .signalbox/triggers.yaml, for editors",
      tag,
      class: 'public',
      responses: { 200: Type.Unknown() },
      handle: async () =>
        answer(200, manifestJsonSchema(), {
          'cache-control': 'public, max-age=3600',
          'access-control-allow-origin': '*',
        }),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/triggers/:id',
      summary: 'One trigger',
      tag,
      class: 'authorized',
      permission: 'trigger.read',
      schema: { params },
      responses: { 200: Trigger },
      handle: async (request) => whole(200, await getTrigger(kit, request.caller, request.params.id)),
    }),
  ]
}

function writing(kit: Kit, needs: TriggerNeeds, changed: () => void): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/triggers',
      summary: 'Create a trigger; its runs start on behalf of the caller',
      tag,
      class: 'authorized',
      permission: 'trigger.write',
      schema: { body: TriggerDocument },
      responses: { 201: Trigger },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const trigger = await createTrigger(kit, needs, originOf(request), readDocument(request.body))
        changed()
        return whole(201, trigger, { location: `/v1/triggers/${trigger.id}` })
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/v1/triggers/:id',
      summary: 'Replace a trigger; the caller becomes its owner',
      tag,
      class: 'authorized',
      permission: 'trigger.write',
      schema: { params, body: TriggerDocument },
      responses: { 200: Trigger },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const change = {
          definition: readDocument(request.body),
          explicitSource: false,
          ifMatch: request.headers['if-match'],
        }
        const trigger = await changeTrigger(kit, needs, originOf(request), request.params.id, change)
        changed()
        return whole(200, trigger)
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/triggers/:id',
      summary: 'Change some fields of a trigger; the caller becomes its owner',
      tag,
      class: 'authorized',
      permission: 'trigger.write',
      schema: { params, body: TriggerPatch },
      responses: { 200: Trigger },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const change = readPatch(request.body, request.headers['if-match'])
        const trigger = await changeTrigger(kit, needs, originOf(request), request.params.id, change)
        changed()
        return whole(200, trigger)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/triggers/:id',
      summary: 'Delete a trigger; its runs go on',
      tag,
      class: 'authorized',
      permission: 'trigger.write',
      schema: { params },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await deleteTrigger(kit, needs, originOf(request), request.params.id, request.headers['if-match'])
        changed()
        return answer(204)
      },
    }),
  ]
}

function whole(status: number, trigger: TriggerRow, headers: Readonly<Record<string, string>> = {}): Answer {
  return answer(status, presentTrigger(trigger), { ...headers, etag: etagOf(trigger.updatedAt) })
}

export function readDocument(body: TriggerDocument): TriggerDefinition {
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
    condition: body.if ?? null,
    pipeline: body.pipeline,
    scope: body.scope,
    variables: body.variables ?? {},
    concurrency: readConcurrency(body.concurrency) ?? null,
    enabled: body.enabled ?? true,
  }
}

function readPatch(body: TriggerPatch, ifMatch: string | string[] | undefined): TriggerChange {
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
      condition: body.if,
      pipeline: body.pipeline,
      scope: body.scope,
      variables: body.variables,
      concurrency: readConcurrency(body.concurrency),
      enabled: body.enabled,
    },
    explicitSource: body.source_id !== undefined,
    ifMatch,
  }
}

function readConcurrency(given: TriggerDocument['concurrency']): TriggerDefinition['concurrency'] | undefined {
  return given && { group: given.group, onConflict: given.on_conflict }
}
