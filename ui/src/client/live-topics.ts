import { holds } from './holds.ts'

/** The names of the events: what stands before the colon of a topic. A stream is heard for no others. */
export const KINDS = [
  'runs',
  'run',
  'deliveries',
  'approvals',
  'runners',
  'schedules',
  'emergencies',
  'knowledge',
  'plans',
] as const

/** What one must hold to follow a topic; a topic of one thing is followed by those who could read the thing. */
export const NEEDED: Readonly<Record<string, string>> = {
  runs: 'run.read',
  approvals: 'run.read',
  runners: 'runner.read',
  schedules: 'schedule.read',
  emergencies: 'knowledge.read',
  knowledge: 'knowledge.read',
}

type Permissions = Readonly<Record<string, readonly string[]>>

/** The topics that the person may follow: one that is refused would close the stream for all. */
export function followable(topics: readonly string[], permissions: Permissions | undefined): readonly string[] {
  if (permissions === undefined) return []
  return topics.filter((topic) => {
    const [kind = '', place = '/'] = topic.split(':')
    const permission = NEEDED[kind]
    if (permission === undefined) return true
    // `/` stands for what one may see, wherever that is.
    if (place === '/') return Object.values(permissions).some((held) => held.includes(permission))
    return holds(permissions, permission, place)
  })
}
