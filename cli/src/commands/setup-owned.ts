import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import type { Owner } from '@signalbox/contracts/http'
import { overrideRoutes } from '@signalbox/contracts/overrides/routes'
import { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Client } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'

/** Something that starts runs on behalf of its owner: without an owner who may act it starts nothing. */
export interface Owned {
  /** Such as `trigger acme/push`. */
  readonly title: string
  /** Writes it back unchanged: whoever writes it last owns it. Throws ApiProblem. */
  takeOver(): Promise<unknown>
}

/** Everything that the caller may see and the bootstrap token owns. An expired override is over, and is left out. */
export async function listOwnedByBootstrap(client: Client): Promise<readonly Owned[]> {
  const sources = await client.list(sourceRoutes.listSources)
  const triggers = await client.list(triggerRoutes.listTriggers)
  const schedules = await client.list(scheduleRoutes.listSchedules)
  const externalTriggers = await client.list(externalTriggerRoutes.listExternalTriggers)
  const overrides = await client.list(overrideRoutes.listOverrides)
  return [
    ...sources.filter(isOwned).map(({ id, name }) => ({
      title: `source ${name}`,
      takeOver: () => client.call(sourceRoutes.updateSource, { params: { sourceID: id }, body: {} }),
    })),
    ...triggers.filter(isOwned).map(({ id, team_path: team, name }) => ({
      title: `trigger ${team}/${name}`,
      takeOver: () => client.call(triggerRoutes.updateTrigger, { params: { id }, body: {} }),
    })),
    ...schedules.filter(isOwned).map(({ id, identifier }) => ({
      title: `schedule ${identifier}`,
      takeOver: () => client.call(scheduleRoutes.updateSchedule, { params: { id }, body: {} }),
    })),
    ...externalTriggers.filter(isOwned).map(({ id, identifier }) => ({
      title: `external trigger ${identifier}`,
      takeOver: () => client.call(externalTriggerRoutes.updateExternalTrigger, { params: { id }, body: {} }),
    })),
    ...overrides
      .filter((override) => isOwned(override) && !override.expired)
      .map(({ repo_owner: repoOwner, repo_name: repoName, pipeline, scope, expires_at, reason }) => ({
        title: `override ${repoOwner}/${repoName}`,
        takeOver: () =>
          client.call(overrideRoutes.replaceOverride, {
            params: { repoOwner, repoName },
            body: { pipeline, scope, expires_at, reason },
          }),
      })),
  ]
}

/** Makes the caller the owner of each; answers those that cannot be written back, each title with the reason. */
export async function takeOver(owned: readonly Owned[]): Promise<readonly string[]> {
  const left: string[] = []
  for (const each of owned) {
    try {
      await each.takeOver()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      left.push(`${each.title}: ${error.message}`)
    }
  }
  return left
}

function isOwned({ owner }: { readonly owner: Owner }): boolean {
  return owner.kind === 'bootstrap'
}
