import type { Route } from '#platform/http'
import type { Means } from '../means.ts'
import { appRoutes } from './apps.ts'
import { installationRoutes } from './installations.ts'

export function gitAppRoutes(means: Means): Route[] {
  return [...appRoutes(means), ...installationRoutes(means)]
}
