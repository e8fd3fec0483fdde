import type { EventPullRequest } from '@signalbox/contracts/event'
import { isObject, type JsonObject } from './json-object.ts'
import { children } from './payload-fields.ts'
import type { ForgeOpenPull } from './port.ts'

/** Undefined where it is no pull request as the provider documents it. */
export type PullReader = (pullRequest: JsonObject) => ForgeOpenPull | undefined

/** A page whose body is the list itself. */
export function readPulls(body: unknown, read: PullReader): readonly ForgeOpenPull[] | undefined {
  return Array.isArray(body) ? collect({ body }, 'body', read) : undefined
}

/** A page whose list is a field of the body. */
export function readPullsIn(body: unknown, key: string, read: PullReader): readonly ForgeOpenPull[] | undefined {
  return isObject(body) && Array.isArray(body[key]) ? collect(body, key, read) : undefined
}

/** One without any name of its head is left out: nothing could be compared with it. */
function collect(body: JsonObject, key: string, read: PullReader): readonly ForgeOpenPull[] {
  return children(body, key).flatMap((pullRequest) => {
    const found = read(pullRequest)
    return found && isNamed(found.pullRequest) ? [found] : []
  })
}

function isNamed({ head }: EventPullRequest): boolean {
  return head.sha !== null || head.sha_prefix !== undefined
}
