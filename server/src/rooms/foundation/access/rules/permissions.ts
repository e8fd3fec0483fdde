import { type Permission, ROLE_NAMES, type Role } from '@signalbox/contracts/access'

const viewer: readonly Permission[] = [
  'team.read',
  'environment.read',
  'secret.read',
  'pipeline.read',
  'knowledge.read',
  'profile.read',
  'runner.read',
  'run.read',
  'log.read',
  'artifact.read',
  'webhook_source.read',
  'delivery.read',
  'override.read',
  'trigger.read',
  'schedule.read',
  'external_trigger.read',
  'event.read',
  'service_account.read',
  'grant.read',
]
const operator: readonly Permission[] = [
  ...viewer,
  'run.start',
  'run.cancel',
  'run.rerun',
  'run.approve',
  'scope.use',
  'delivery.replay',
]
const editor: readonly Permission[] = [
  ...operator,
  'pipeline.write',
  'knowledge.write',
  'profile.write',
  'webhook_source.write',
  'override.write',
  'trigger.write',
  'schedule.write',
  'external_trigger.write',
  'environment.write',
  'artifact.delete',
]
const owner: readonly Permission[] = [
  ...editor,
  'team.write',
  'secret.write',
  'log.scrub',
  'policy.write',
  'emergency.declare',
  'runner.write',
  'storage.write',
  'grant.write',
  'service_account.write',
  'token.write',
  'audit.read',
  'user.read',
]
const administrator: readonly Permission[] = [
  ...owner,
  'user.write',
  'git_app.read',
  'git_app.write',
  'setting.read',
  'setting.write',
  'system.read',
]

/** Each role has what the one before it has, and more. A grant of a role holds at its team path and below. */
export const ROLES: Readonly<Record<Role, readonly Permission[]>> = {
  viewer,
  operator,
  editor,
  owner,
  administrator,
}

export function readRoleName(text: string): Role | undefined {
  return ROLE_NAMES.find((name) => name === text)
}
