import { DEPLOYMENT_STATES, type EventDeployment } from '@signalbox/contracts/event'
import { readBareRef, readSha } from '../git-names.ts'
import { isObject, type JsonObject } from '../json-object.ts'
import { child, id, moment, name, webUrl } from '../payload-fields.ts'
import type { Reading } from '../port.ts'
import { type DeliveredFromRepository, nothingRunnable, oneEvent, unreadable } from '../reading.ts'

const STATES: ReadonlySet<string> = new Set(DEPLOYMENT_STATES)

/** `deployment`. */
export function readDeployment(delivered: DeliveredFromRepository): Reading {
  // Older servers name no action.
  if (delivered.action !== null && delivered.action !== 'created') {
    return nothingRunnable(delivered, delivered.repository, 'No trigger can use this action of a deployment.')
  }
  return readDeploymentEvent(delivered, undefined)
}

/** `deployment_status`: the state is the action, because nothing else ever happens to a status. */
export function readDeploymentStatus(delivered: DeliveredFromRepository): Reading {
  return readDeploymentEvent(delivered, child(delivered.payload, 'deployment_status'))
}

function readDeploymentEvent(delivered: DeliveredFromRepository, status: JsonObject | undefined): Reading {
  const { payload, repository } = delivered
  const deployment = payload['deployment']
  const after = isObject(deployment) ? readSha(deployment['sha']) : undefined
  if (!isObject(deployment) || after === undefined) return unreadable(delivered, 'The deployment names no commit.')
  const state = status && name(status, 'state')
  if (status && (!state || !STATES.has(state))) {
    return nothingRunnable(delivered, repository, 'No trigger can use this state of a deployment.')
  }
  const branch = readBranch(deployment['ref'])
  return oneEvent(delivered, {
    kind: status ? 'deployment_status' : 'deployment',
    action: state ?? 'created',
    ref: branch === null ? null : `refs/heads/${branch}`,
    branch,
    after,
    deployment: describe(deployment, status),
    occurred_at: moment(status ?? deployment, 'created_at'),
  })
}

/**
 * The branch that was deployed. Bots that deploy previews name a commit instead, which may be of a fork, as may a pull
 * request's ref. Nothing then tells where the commit is from.
 */
function readBranch(ref: unknown): string | null {
  if (typeof ref !== 'string' || /^[0-9a-f]{7,64}$/i.test(ref) || /^(?:refs|pull)\//.test(ref)) return null
  return readBareRef(ref, 'heads')
}

function describe(deployment: JsonObject, status: JsonObject | undefined): EventDeployment {
  return {
    id: id(deployment, 'id'),
    environment: name(deployment, 'environment'),
    task: name(deployment, 'task'),
    description: name(status ?? deployment, 'description'),
    state: status ? name(status, 'state') : null,
    status_id: status ? id(status, 'id') : null,
    web_url: status ? webUrl(status, 'environment_url') : null,
  }
}
