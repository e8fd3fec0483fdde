import { type ReleaseActions, readReleaseEvent } from '../github/release.ts'
import type { Reading } from '../port.ts'
import type { DeliveredFromRepository } from '../reading.ts'

const ACTIONS: ReleaseActions = new Map([
  ['published', 'published'],
  ['updated', 'updated'],
  ['deleted', 'deleted'],
])

/** `release`: of them all Gogs knows `published` only. */
export function readRelease(delivered: DeliveredFromRepository): Reading {
  return readReleaseEvent(delivered, ACTIONS)
}
