import { RepositoryParams } from '@signalbox/contracts/overrides'
import { Branch } from '@signalbox/contracts/sources'
import { Type } from 'typebox'
import { answer, defineRoute, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { listBranches } from '../actions/list-branches.ts'
import type { SourceNeeds } from '../index.ts'
import type { Ingress } from '../ingress/ingress.ts'

export function branchRoutes(kit: Kit, needs: SourceNeeds, ingress: Ingress): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/repositories/:repoOwner/:repoName/branches',
      summary: 'List the branches of a connected repository, as its provider has them now',
      tag: 'git',
      class: 'authorized',
      permission: 'webhook_source.read',
      schema: { params: RepositoryParams },
      responses: { 200: Type.Array(Branch) },
      problems: [{ status: 502 }],
      handle: async (request) => {
        const { repoOwner, repoName } = request.params
        const repository = `${repoOwner}/${repoName}`
        return answer(200, await listBranches(kit, needs, ingress, request.caller, repository, request.signal))
      },
    }),
  ]
}
