import * as shapes from '@signalbox/contracts/git-apps'
import { installationRoutes as stated } from '@signalbox/contracts/git-apps/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { askRepositories, refreshNow } from '../actions/ask-repositories.ts'
import { presentInstallation, readInstallation, readInstallations } from '../actions/find-installation.ts'
import { readConnected } from '../actions/list-connected.ts'
import { verifyInstallation } from '../actions/verify-installation.ts'
import { createInstallation, removeInstallation, replaceTeams } from '../actions/write-installation.ts'
import type { Means } from '../means.ts'

export function installationRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listInstallations({ params, query, caller, url }) {
      const page = await readInstallations(means, caller, { ...params, query })
      return answer(
        200,
        page.items.map((found) => presentInstallation(means, found)),
        linkNext(url, page),
      )
    },
    async createInstallation(request) {
      const { params, body, signal } = request
      const found = await createInstallation(means, originOf(request), { ...params, body, signal })
      const shown = presentInstallation(means, found)
      const location = `/v1/git-apps/${shown.provider}/installations/${encodeURIComponent(shown.installation_id)}`
      return answer(201, shown, { location })
    },
    async getInstallation({ params, caller }) {
      return answer(200, presentInstallation(means, await readInstallation(means, caller, params)))
    },
    async deleteInstallation(request) {
      await removeInstallation(means, originOf(request), request.params)
      return answer(204)
    },
    async verifyInstallation(request) {
      const { params, signal } = request
      return answer(200, await verifyInstallation(means, originOf(request), { params, signal }))
    },
    async refreshInstallation(request) {
      const { params, signal } = request
      const { row, added, removed, calls } = await refreshNow(means, originOf(request), { params, signal })
      const { installationId, account, repositoryCount } = row
      return answer(200, {
        installation_id: installationId,
        account,
        repository_count: repositoryCount,
        added,
        removed,
        calls,
      })
    },
    async listInstallationRepositories({ params, caller, signal }) {
      const rows = await askRepositories(means, caller, { params, signal })
      return answer(200, rows.map(presentRepository))
    },
    async replaceInstallationTeams(request) {
      const { params, body } = request
      return answer(200, presentInstallation(means, await replaceTeams(means, originOf(request), { params, body })))
    },
    async listConnectedRepositories({ params, query, caller, url }) {
      const page = await readConnected(means, caller, { ...params, query })
      const items = page.items.map((row) => ({
        ...presentRepository(row),
        provider: row.provider,
        installation_id: row.installationId,
        account: row.account,
        status: row.status,
      }))
      return answer(200, items, linkNext(url, page))
    },
  })
}

function presentRepository(row: {
  readonly fullName: string
  readonly private: boolean
  readonly defaultBranch: string | null
}): shapes.InstallationRepository {
  return { full_name: row.fullName, private: row.private, default_branch: row.defaultBranch }
}
