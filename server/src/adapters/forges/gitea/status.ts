import { statusOf } from '../github/status.ts'
import type { ForgeStatus } from '../port.ts'
import { callOf } from './api.ts'

/** The same call with the same states as GitHub's. */
export const status: ForgeStatus = statusOf(callOf)
