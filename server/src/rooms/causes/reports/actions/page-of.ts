import { addressOfPages } from '#platform/config'
import type { Kit } from '#platform/room'

/** The page of a run, for people who come from their provider. */
export function pageOf({ config }: Pick<Kit, 'config'>, runId: string): string {
  return `${addressOfPages(config)}/#/runs/${runId}`
}
