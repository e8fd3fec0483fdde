import type { Kit } from '#platform/room'

/** For the actions of this room. */
export interface Means extends Kit {
  readonly version: string
  /** Of the build of the page; undefined while there is none. */
  readonly findPageVersion: () => Promise<string | undefined>
}
