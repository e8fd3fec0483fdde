import {
  KnowledgeInput,
  KnowledgeItem,
  KnowledgeParams,
  KnowledgeQuery,
  KnowledgeReplacement,
  KnowledgeRevision,
  KnowledgeRevisionParams,
  KnowledgeRevisionQuery,
  KnowledgeRevisionSummary,
  KnowledgeSummary,
} from '@signalbox/contracts/knowledge'
import { Type } from 'typebox'
import { type Answer, answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { deleteItem } from '../actions/delete-item.ts'
import { getVisibleItem, listItems, presentItem, presentSummary } from '../actions/find-item.ts'
import { getVisibleRevision, listRevisions, presentRevision, presentRevisionSummary } from '../actions/find-revision.ts'
import { createItem, replaceItem } from '../actions/save-item.ts'
import type { KnowledgeMeans } from '../index.ts'
import type { Item } from '../rules/index.ts'
import { readContent } from './read-content.ts'

const common = { tag: 'knowledge', class: 'authorized' } as const

export function itemRoutes(kit: Kit, means: KnowledgeMeans): Route[] {
  return [...reading(kit, means), ...writing(kit, means)]
}

function reading(kit: Kit, means: KnowledgeMeans): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/knowledge',
      summary: 'List knowledge items, newest first; with scope those that apply there',
      permission: 'knowledge.read',
      schema: { query: KnowledgeQuery },
      responses: { 200: Type.Array(KnowledgeSummary) },
      handle: async (request) => {
        const page = await listItems(kit, means, request.caller, request.query)
        return answer(200, page.items.map(presentSummary), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/knowledge/:id',
      summary: 'Show a knowledge item with its text',
      permission: 'knowledge.read',
      schema: { params: KnowledgeParams },
      responses: { 200: KnowledgeItem },
      handle: async ({ caller, params }) => whole(200, await getVisibleItem(kit.database.kysely, caller, params.id)),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/knowledge/:id/revisions',
      summary: 'List the revisions of a knowledge item, newest first',
      permission: 'knowledge.read',
      schema: { params: KnowledgeParams, query: KnowledgeRevisionQuery },
      responses: { 200: Type.Array(KnowledgeRevisionSummary) },
      handle: async (request) => {
        const page = await listRevisions(kit, request.caller, request.params.id, request.query)
        return answer(200, page.items.map(presentRevisionSummary), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/knowledge/revisions/:id',
      summary: 'Show one revision by its id, as runs pin it; also when its item is deleted',
      permission: 'knowledge.read',
      schema: { params: KnowledgeRevisionParams },
      responses: { 200: KnowledgeRevision },
      handle: async ({ caller, params }) =>
        answer(200, presentRevision(await getVisibleRevision(kit, caller, params.id))),
    }),
  ]
}

function writing(kit: Kit, means: KnowledgeMeans): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/knowledge',
      summary: 'Create a knowledge item; a policy needs policy.write',
      permission: 'knowledge.write',
      schema: { body: KnowledgeInput },
      responses: { 201: KnowledgeItem },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { team_path: teamPath, name, kind } = request.body
        const input = { ...readContent(request.body), teamPath, name, kind }
        const item = await createItem(kit, means, originOf(request), input)
        return whole(201, item, { location: `/v1/knowledge/${item.id}` })
      },
    }),
    defineRoute({
      ...common,
      method: 'PUT',
      path: '/v1/knowledge/:id',
      summary: 'Save a new revision of a knowledge item; a policy needs policy.write',
      permission: 'knowledge.write',
      schema: { params: KnowledgeParams, body: KnowledgeReplacement },
      responses: { 200: KnowledgeItem },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { team_path: teamPath, name, kind } = request.body
        const item = await replaceItem(kit, means, originOf(request), {
          ...readContent(request.body),
          ...(teamPath === undefined ? {} : { teamPath }),
          ...(name === undefined ? {} : { name }),
          ...(kind === undefined ? {} : { kind }),
          idOrIdentifier: request.params.id,
          ifMatch: request.headers['if-match'],
        })
        return whole(200, item)
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/v1/knowledge/:id',
      summary: 'Delete a knowledge item; its revisions stay; a policy needs policy.write',
      permission: 'knowledge.write',
      schema: { params: KnowledgeParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const input = { idOrIdentifier: request.params.id, ifMatch: request.headers['if-match'] }
        await deleteItem(kit, means, originOf(request), input)
        return answer(204)
      },
    }),
  ]
}

function whole(status: number, item: Item, headers: Readonly<Record<string, string>> = {}): Answer {
  return answer(status, presentItem(item), { ...headers, etag: etagOf(item.revision) })
}
