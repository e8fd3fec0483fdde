import type { Kit } from '#platform/room'

/** For the actions of this room: it asks no other. */
export type Means = Kit
