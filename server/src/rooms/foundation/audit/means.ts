import type { Kit } from '#platform/room'

/** What the actions of this room work with: the kit. It asks no other room. */
export type Means = Kit
