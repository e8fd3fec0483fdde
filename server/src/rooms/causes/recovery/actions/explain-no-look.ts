import type { CommandedSource } from '#rooms/causes/sources'
import type { Means } from '../means.ts'
import { whyUncompared } from './find-head-places.ts'
import { hasLog } from './find-logs.ts'

/** Why neither a log of the source is read nor heads are compared; undefined: one of them is done. */
export async function explainNoLook(means: Means, source: CommandedSource): Promise<string | undefined> {
  return source.enabled && (await hasLog(means, source)) ? undefined : whyUncompared(means, source)
}
