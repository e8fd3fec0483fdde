import { Type } from 'typebox'
import { OURS } from '../http/index.ts'

export const RunStatus = Type.String({
  ...OURS,
  enum: ['queued', 'running', 'paused', 'success', 'failure', 'warning', 'timed_out', 'canceled'],
  description: 'The last five are final.',
})
