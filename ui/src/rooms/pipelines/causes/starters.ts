import type { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import type { triggerRoutes } from '@signalbox/contracts/triggers/routes'

/** Something that starts a pipeline without a person. */
export interface Starter {
  readonly id: string
  readonly kind: 'trigger' | 'schedule' | 'external trigger'
  readonly name: string
  /** What it waits for, in a few words. */
  readonly when: string
  readonly scope: string
  readonly isEnabled: boolean
  /** When it fires next, as far as that is known. */
  readonly next?: string | undefined
}

type Trigger = ItemOf<typeof triggerRoutes.listTriggers>
type Schedule = ItemOf<typeof scheduleRoutes.listSchedules>
type ExternalTrigger = ItemOf<typeof externalTriggerRoutes.listExternalTriggers>

export function ofTrigger({ id, team_path, name, events, repositories, branches, scope, enabled }: Trigger): Starter {
  const where = branches.length > 0 ? ` of ${branches.join(', ')}` : ''
  const when = `${events.map((event) => event.replaceAll('_', ' ')).join(', ')}${where} in ${repositories.join(', ')}`
  return { id, kind: 'trigger', name: `${team_path}/${name}`, when, scope, isEnabled: enabled }
}

export function ofSchedule(schedule: Schedule): Starter {
  const { id, identifier, cron_expression, run_at, timezone, scope, enabled, next_fire_at } = schedule
  const when = `${cron_expression ?? run_at ?? ''} (${timezone})`
  return { id, kind: 'schedule', name: identifier, when, scope, isEnabled: enabled, next: next_fire_at ?? undefined }
}

export function ofExternalTrigger({ id, identifier, scope, enabled }: ExternalTrigger): Starter {
  return {
    id,
    kind: 'external trigger',
    name: identifier,
    when: 'a request with its secret',
    scope,
    isEnabled: enabled,
  }
}
