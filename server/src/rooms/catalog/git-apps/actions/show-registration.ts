import type { GitAppParams, RegistrationState } from '@signalbox/contracts/git-apps'
import { type Caller, requirePermission } from '#platform/http'
import { toWireTime } from '#platform/time'
import type { Means } from '../means.ts'
import { judgeRegistration } from '../rules/registration-state.ts'
import { findNewestRegistration } from '../store/flows.ts'
import { readProvider } from './find-app.ts'

/** What became of the newest registration, for those who wait for it elsewhere than in the browser that came back. */
export async function showRegistration(
  means: Means,
  caller: Caller,
  name: GitAppParams['provider'],
): Promise<RegistrationState> {
  requirePermission(caller, 'git_app.read', '/')
  const flow = await findNewestRegistration(means.database.kysely, readProvider(means, name))
  if (!flow) return { status: 'none', error: null, started_at: null, ended_at: null }
  return {
    ...judgeRegistration(flow, means.clock.now()),
    started_at: toWireTime(flow.createdAt),
    ended_at: flow.endedAt && toWireTime(flow.endedAt),
  }
}
