import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconCircleOff,
  IconClock,
  IconHourglassOff,
  IconLoader2,
  IconPlayerPause,
  type IconProps,
  IconX,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Tone } from './tokens.ts'

/** How a status word of the API looks: the only place that knows. */
export interface StatusLook {
  readonly tone: Tone
  /** The word that a person reads. */
  readonly label: string
  readonly icon: ComponentType<IconProps>
  /** Nothing ran: drawn with a dashed outline. */
  readonly dashed?: true
}

const ICONS: Readonly<Record<Tone, ComponentType<IconProps>>> = {
  queued: IconClock,
  running: IconLoader2,
  paused: IconPlayerPause,
  success: IconCheck,
  warning: IconAlertTriangle,
  failure: IconX,
  timed_out: IconHourglassOff,
  canceled: IconCircleOff,
}

function look(tone: Tone, label: string): StatusLook {
  return { tone, label, icon: ICONS[tone] }
}

const LOOKS: Readonly<Record<string, StatusLook>> = {
  // runs, steps, tasks and attempts
  queued: look('queued', 'queued'),
  pending: look('queued', 'pending'),
  waiting: look('queued', 'waiting'),
  ready: look('queued', 'ready'),
  leased: look('running', 'starting'),
  running: look('running', 'running'),
  paused: look('paused', 'paused'),
  success: look('success', 'success'),
  warning: look('warning', 'warning'),
  failure: look('failure', 'failure'),
  timed_out: look('timed_out', 'timed out'),
  canceled: look('canceled', 'canceled'),
  'failure (ignored)': { tone: 'warning', label: 'failure (ignored)', icon: IconX },
  child: look('running', 'its run'),
  lost: look('failure', 'lost'),
  skipped: { tone: 'canceled', label: 'skipped', icon: IconCircleDashed, dashed: true },
  // deliveries, events and the rules that they met
  accepted: look('success', 'accepted'),
  ignored: look('canceled', 'ignored'),
  duplicate: look('canceled', 'duplicate'),
  recovered: look('success', 'recovered'),
  unprocessable: look('warning', 'unusable'),
  refused: look('failure', 'refused'),
  verified: look('success', 'verified'),
  missing: look('failure', 'no signature'),
  mismatch: look('failure', 'wrong signature'),
  not_checked: look('canceled', 'signature not checked'),
  started: look('success', 'started'),
  held: look('paused', 'waits for an approval'),
  canceled_runs: look('canceled', 'canceled runs'),
  deferred: look('queued', 'put off'),
  outranked: look('canceled', 'outranked'),
  not_matched: look('canceled', 'did not match'),
  near_miss: look('warning', 'nearly fits'),
  condition_held: look('success', 'held'),
  not_held: look('failure', 'did not hold'),
  not_looked_at: { tone: 'canceled', label: 'not looked at', icon: IconCircleDashed, dashed: true },
  manifest_pending: look('queued', 'manifest: being read'),
  manifest_read: look('success', 'manifest: read'),
  manifest_absent: look('canceled', 'manifest: there is none'),
  manifest_invalid: look('failure', 'manifest: invalid'),
  manifest_unreadable: look('warning', 'manifest: unreadable'),
  // overrides, and the rules of a repository
  in_effect: look('success', 'in effect'),
  not_in_effect: look('warning', 'not in effect'),
  would_start: look('success', 'would start'),
  would_not_start: look('canceled', 'would not start'),
  // sources and what is connected to them
  healthy: look('success', 'healthy'),
  failing: look('failure', 'failing'),
  silent: look('warning', 'silent'),
  unused: look('queued', 'nothing came yet'),
  disabled: look('canceled', 'disabled'),
  enabled: look('success', 'enabled'),
  active: look('success', 'active'),
  broken: look('failure', 'broken'),
  emergency_active: look('failure', 'holds'),
  emergency_lifted: look('success', 'lifted'),
  // installations of Git apps, their permissions, and what the doctor found
  unverified: look('queued', 'not verified'),
  suspended: look('paused', 'suspended'),
  removed: look('canceled', 'removed'),
  permissions_outdated: look('warning', 'permissions outdated'),
  permission_given: look('success', 'given'),
  permission_missing: look('failure', 'missing'),
  permission_spare: look('canceled', 'not needed'),
  doctor_ok: look('success', 'well'),
  doctor_warning: look('warning', 'warning'),
  doctor_failed: look('failure', 'wrong'),
  doctor_skipped: { tone: 'canceled', label: 'skipped', icon: IconCircleDashed, dashed: true },
  // what providers were told of runs
  written: look('success', 'written'),
  report_pending: look('queued', 'to be told'),
  report_given_up: look('failure', 'given up'),
  delivery_missing: look('warning', 'missing'),
  delivery_recovered: look('success', 'sent again'),
  delivery_given_up: look('failure', 'given up'),
  // sessions
  this_session: look('success', 'this one'),
  // runners
  runner_online: look('success', 'online'),
  runner_draining: look('paused', 'draining'),
  runner_away: look('failure', 'away'),
  offline: look('failure', 'offline'),
  dispatcher_connected: look('success', 'online'),
  dispatcher_draining: look('paused', 'draining'),
  dispatcher_disabled: look('canceled', 'disabled'),
  dispatcher_disconnected: look('failure', 'away'),
  // instants of schedules, and backfills
  fire_pending: look('queued', 'pending'),
  fire_started: look('success', 'started'),
  fire_missed: look('warning', 'missed'),
  fire_skipped_overlap: look('canceled', 'left out'),
  fire_denied: look('failure', 'denied'),
  fire_invalid: look('failure', 'invalid'),
  fire_canceled: look('canceled', 'canceled'),
  backfill_running: look('running', 'running'),
  backfill_finished: look('success', 'finished'),
  backfill_canceled: look('canceled', 'canceled'),
  // approvals
  approved: look('success', 'approved'),
  rejected: look('failure', 'rejected'),
  expired: look('timed_out', 'expired'),
  withdrawn: look('canceled', 'withdrawn'),
  // what agents plan and call
  confirmed: look('success', 'carried out'),
  stale: look('warning', 'out of date'),
  tool_read: look('success', 'reads'),
  tool_plan: look('paused', 'plans a write'),
  tool_confirm: look('warning', 'carries out a plan'),
  answered: look('success', 'answered'),
  limited: look('warning', 'too many'),
}

/** Every word that has a look. */
export const STATUS_WORDS: readonly string[] = Object.keys(LOOKS)

const UNKNOWN: StatusLook = { tone: 'canceled', label: 'unknown', icon: IconCircleDashed, dashed: true }

/** The look of a status word; a word of a newer control plane is shown as it is. */
export function lookOf(status: string): StatusLook {
  return LOOKS[status] ?? { ...UNKNOWN, label: status.replaceAll('_', ' ') }
}

/** The final states of a run. */
const FINAL: ReadonlySet<string> = new Set(['success', 'failure', 'warning', 'timed_out', 'canceled'])

export function isFinal(status: string): boolean {
  return FINAL.has(status)
}

/** A state after which somebody has to look. */
export function isBad(status: string): boolean {
  return status === 'failure' || status === 'timed_out' || status === 'lost'
}
