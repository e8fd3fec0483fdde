import * as shapes from '@signalbox/contracts/sources'
import { branchRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, type Route, serve } from '#platform/http'
import { createBranchMemory } from '../actions/branch-memory.ts'
import { listBranches } from '../actions/list-branches.ts'
import type { Means } from '../means.ts'

export function branchRoutes(means: Means): Route[] {
  const branchMemory = createBranchMemory()
  return serve(stated, shapes, {
    async listBranches(request) {
      const { repoOwner, repoName } = request.params
      const repository = `${repoOwner}/${repoName}`
      return answer(200, await listBranches({ ...means, branchMemory }, request.caller, repository, request.signal))
    },
  })
}
