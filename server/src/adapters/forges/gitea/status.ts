import { statusOf } from '../github/status.ts'
import type { ForgeStatus } from '../port.ts'
import { callOf } from './api.ts'

/** Gitea takes the same call with the same states as GitHub. */
export const status: ForgeStatus = statusOf(callOf)
