import { Type } from 'typebox'

export const RunStatus = Type.String({
  enum: ['queued', 'running', 'paused', 'success', 'failure', 'warning', 'timed_out', 'canceled'],
  description: 'The last five are final.',
})
