import * as shapes from '@signalbox/contracts/sources'
import { branchRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { listBranches } from '../actions/list-branches.ts'
import type { SourceNeeds } from '../index.ts'
import type { Ingress } from '../ingress/ingress.ts'

export function branchRoutes(kit: Kit, needs: SourceNeeds, ingress: Ingress): Route[] {
  return serve(stated, shapes, {
    async listBranches(request) {
      const { repoOwner, repoName } = request.params
      const repository = `${repoOwner}/${repoName}`
      return answer(200, await listBranches(kit, needs, ingress, request.caller, repository, request.signal))
    },
  })
}
