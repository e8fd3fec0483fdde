import { styleText } from 'node:util'
import type { Surroundings } from '../surroundings.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'strong' | 'accent' | 'plain'

export type Paint = (tone: Tone, text: string) => string

const FORMATS = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  quiet: 'gray',
  strong: 'bold',
  accent: 'cyan',
} as const

/** Colours only for a person: on a terminal, without NO_COLOR, and not on a dumb one. */
export function usesColour(env: Surroundings['env'], isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true
  return isTerminal && env['TERM'] !== 'dumb'
}

export function createPaint(colour: boolean): Paint {
  return (tone, text) => (colour && tone !== 'plain' ? styleText(FORMATS[tone], text, { validateStream: false }) : text)
}

/** The tone of a status of a run, step or task, and of a result. */
export function toneOf(status: string): Tone {
  switch (status) {
    case 'success':
    case 'accepted':
    case 'started':
      return 'good'
    case 'failure':
    case 'timed_out':
    case 'rejected':
    case 'denied':
    case 'invalid':
      return 'bad'
    case 'warning':
    case 'failure (ignored)':
    case 'paused':
    case 'unprocessable':
    case 'missed':
    case 'skipped_overlap':
      return 'warn'
    case 'running':
      return 'accent'
    case 'canceled':
    case 'skipped':
    case 'pending':
      return 'quiet'
    default:
      return 'plain'
  }
}

/** One character for a status, so that colour is never the only sign. */
export function markOf(status: string): string {
  switch (status) {
    case 'success':
      return '✓'
    case 'failure':
    case 'timed_out':
      return '✗'
    case 'warning':
    case 'failure (ignored)':
      return '!'
    case 'canceled':
    case 'skipped':
      return '-'
    case 'running':
      return '▶'
    default:
      return '·'
  }
}
