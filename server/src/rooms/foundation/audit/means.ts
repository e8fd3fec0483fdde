import type { Kit } from '#platform/room'

/** For the actions of this room: the kit, because the room asks no other one. */
export type Means = Kit
