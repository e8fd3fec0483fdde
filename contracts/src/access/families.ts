import { PERMISSION_NAMES, type Permission } from './permissions.ts'

/** Kinds of things, by which a token can be limited. Tools for agents stand in the same families. */
export const FAMILIES = {
  runs: 'Runs, and the scopes that they use.',
  logs: 'Logs of runs.',
  artifacts: 'Artifacts of runs.',
  approvals: 'Decisions of approvals.',
  pipelines: 'Pipelines and profiles.',
  git: 'Webhook sources, deliveries, events and apps of Git providers.',
  triggers: 'Triggers, overrides and external triggers.',
  schedules: 'Schedules.',
  runners: 'Runners and the dispatcher.',
  knowledge: 'Policies, guardrails, references and emergencies.',
  secrets: 'Names of stored secrets.',
  teams: 'Teams, environments and their storage.',
  access: 'Users, groups, service accounts, tokens and grants.',
  audit: 'Audit records.',
  platform: 'Settings and state of the platform.',
} as const

export type Family = keyof typeof FAMILIES

function isFamily(text: string): text is Family {
  return Object.hasOwn(FAMILIES, text)
}

export const FAMILY_NAMES: readonly Family[] = Object.keys(FAMILIES).filter(isFamily)

const FAMILY_OF: Readonly<Record<Permission, Family>> = {
  'team.read': 'teams',
  'team.write': 'teams',
  'environment.read': 'teams',
  'environment.write': 'teams',
  'storage.write': 'teams',
  'secret.read': 'secrets',
  'secret.write': 'secrets',
  'pipeline.read': 'pipelines',
  'pipeline.write': 'pipelines',
  'profile.read': 'pipelines',
  'profile.write': 'pipelines',
  'knowledge.read': 'knowledge',
  'knowledge.write': 'knowledge',
  'policy.write': 'knowledge',
  'emergency.declare': 'knowledge',
  'runner.read': 'runners',
  'runner.write': 'runners',
  'run.read': 'runs',
  'run.start': 'runs',
  'run.cancel': 'runs',
  'run.rerun': 'runs',
  'scope.use': 'runs',
  'run.approve': 'approvals',
  'log.read': 'logs',
  'log.scrub': 'logs',
  'artifact.read': 'artifacts',
  'artifact.delete': 'artifacts',
  'webhook_source.read': 'git',
  'webhook_source.write': 'git',
  'delivery.read': 'git',
  'delivery.replay': 'git',
  'event.read': 'git',
  'git_app.read': 'git',
  'git_app.write': 'git',
  'override.read': 'triggers',
  'override.write': 'triggers',
  'trigger.read': 'triggers',
  'trigger.write': 'triggers',
  'external_trigger.read': 'triggers',
  'external_trigger.write': 'triggers',
  'schedule.read': 'schedules',
  'schedule.write': 'schedules',
  'service_account.read': 'access',
  'service_account.write': 'access',
  'token.write': 'access',
  'grant.read': 'access',
  'grant.write': 'access',
  'user.read': 'access',
  'user.write': 'access',
  'audit.read': 'audit',
  'setting.read': 'platform',
  'setting.write': 'platform',
  'system.read': 'platform',
}

/** Each permission belongs to one family. */
export function familyOf(permission: Permission): Family {
  return FAMILY_OF[permission]
}

/**
 * What no token with limits may do, whatever its owner may: give access, to others or to itself; and write what acts later by
 * rights that its owner has elsewhere. An override takes the place of whatever a source of its owner hears of; a shared
 * source speaks for all teams of its owner; an app is finished in the name of whoever registers it.
 */
const WITHHELD: ReadonlySet<Permission> = new Set([
  'token.write',
  'grant.write',
  'user.write',
  'service_account.write',
  'git_app.write',
  'override.write',
  'webhook_source.write',
])

/** Whether a token with limits may have it. */
export function isLimitable(permission: Permission): boolean {
  return !WITHHELD.has(permission)
}

/** The permissions that a token can be limited to. */
export const LIMITABLE_PERMISSIONS: readonly Permission[] = PERMISSION_NAMES.filter(isLimitable)
